import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { approveRequest, getApproval, listApprovals, refuseRequest } from "#features/approvals/approvals.contract.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { createDelegation } from "#features/approvals/approvals.contract.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import { cookieOf } from "#testkit/app.ts";
import { characters, login } from "#features/auth/auth.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { cancelCorrection, type Entry, mostRequests, requestCorrection } from "./timeclock.contract.ts";
import type { TimeclockTables } from "./timeclock.schema.ts";
import { entriesOf, local, newJob, oneEntry, shorter, work } from "./timeclock.testkit.ts";

const minute = 60_000;
const hour = 60 * minute;
const patience = { timeout: 20_000, interval: 20 };

describeApps("corrections of the timeclock", (get) => {
  const as = ({ token }: TestActor) => ({ token });
  const now = () => Math.floor(get().app.process.container.ports.clock.now() / 1000) * 1000;

  async function team() {
    const { world } = get();
    const job = newJob("corrected");
    await world.job(job, [0, 1, 2, 3]);
    const member = await world.actor({ job, grade: 1 });
    const leader = await world.actor({ job, grade: 2, rights: { "timeclock.approve": true } });
    const chief = await world.actor({ job, grade: 3 });
    return { job, member, leader, chief };
  }

  const correct = async (actor: TestActor, { id, version }: Entry, body: { from: string; to: string; reason: string }) =>
    await get().app.call(requestCorrection, { params: { id }, body: { version, ...body } }, as(actor));

  const ask = async (actor: TestActor, entry: Entry) => {
    const { status, output, body } = await correct(actor, entry, shorter(entry));
    if (status !== 200) throw new Error(`not asked: ${status} ${JSON.stringify(body)}`);
    return output;
  };

  const waiting = async (actor: TestActor) =>
    (await get().app.call(listApprovals, { query: {} }, as(actor))).output.items.filter(
      ({ kind }) => kind === "timeclock.correction",
    );

  const approve = async (actor: TestActor, { id, version }: { readonly id: number; readonly version: number }) =>
    await get().app.call(approveRequest, { params: { id }, body: { version } }, as(actor));

  /** The game gives them another grade. */
  const promote = async ({ licence }: TestActor, job: string, grade: number) =>
    await get().world.citizen({
      ...{ identifier: `char1:${licence}`, firstName: "Act", lastName: "Promoted" },
      jobs: [{ name: job, grade }],
    });

  test("are not approved where the entry is gone", async () => {
    const { member, leader, job } = await team();
    const entry = await oneEntry(get(), member, job);
    await ask(member, entry);
    const [request] = await waiting(leader);
    await get().app.process.container.db.write("test.removed", async (tx) => {
      await queries<TimeclockTables>(tx).deleteFrom("timeclock_entries").where("id", "=", entry.id).execute();
    });
    const refused = await approve(leader, request!);
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([
      409,
      "approvals.impossible",
      { reason: "timeclock.approvals.correction.refusals.entryGone" },
    ]);
    const { id, version } = request!;
    const answer = await get().app.call(refuseRequest, { params: { id }, body: { version, reason: "Too old" } }, as(leader));
    expect(answer.status).toBe(200);
  });

  test("are asked for so many times a day only, also when they are taken back", async () => {
    const { app } = get();
    const { member, leader, job } = await team();
    let entry = await oneEntry(get(), member, job);
    for (let n = 0; n < mostRequests; n += 1) {
      const open = (await ask(member, entry)).corrections.at(-1)!;
      const taken = await app.call(cancelCorrection, { params: { id: open.id }, body: { version: open.version } }, as(member));
      entry = taken.output;
    }
    const refused = await correct(member, entry, shorter(entry));
    expect([refused.status, refused.body.code]).toEqual([409, "timeclock.tooMany"]);
    const tomorrow = local(now() + 24 * hour).slice(0, 10);
    expect(refused.body.params).toEqual({ most: mostRequests, day: tomorrow });
    expect(await waiting(leader)).toEqual([]);
  });

  test("are decided by the grades as they are now", async () => {
    const { member, leader, chief, job } = await team();
    await ask(member, await oneEntry(get(), member, job));
    const [request] = await waiting(leader);
    await promote(member, job, 2);
    const refused = await approve(leader, request!);
    expect([refused.status, refused.body.code]).toEqual([403, "approvals.notDecider"]);
    const { id, version } = request!;
    const body = { version, reason: "It is not mine to decide" };
    expect((await get().app.call(refuseRequest, { params: { id }, body }, as(leader))).status).toBe(403);
    expect(await waiting(leader)).toEqual([]);
    expect((await get().app.call(getApproval, { params: { id } }, as(leader))).status).toBe(404);
    expect((await approve(chief, request!)).status).toBe(200);
  });

  test("are not decided for a superior who is none any more", async () => {
    const { app, world } = get();
    const { member, leader, job } = await team();
    const substitute = await world.actor({ job, grade: 3, rights: { "citizens.list": true } });
    const day = { from: now() - hour, until: now() + 24 * hour };
    const body = { citizenId: substitute.characterId, kinds: ["timeclock.correction"], ...day };
    await world.grant(job, 2, { "citizens.list": true });
    const token = await world.tokenOf(leader);
    expect((await app.call(createDelegation, { body }, { token })).status).toBe(200);
    await world.grant(job, 3, { "timeclock.approve": false });
    const lent = { ...substitute, token: await world.tokenOf(substitute) };
    await ask(member, await oneEntry(get(), member, job));
    const [request] = await waiting(lent);
    expect(request).toMatchObject({ mayDecide: true });
    await promote(member, job, 2);
    expect((await approve(lent, request!)).body.code).toBe("approvals.notDecider");
  });

  test("are never decided by the person, who got an account or a higher grade after the game proposed it", async () => {
    const { app, world } = get();
    const { leader, job } = await team();
    const licence = newJob("late");
    const citizenId = await world.citizen({ identifier: `char1:${licence}`, jobs: [{ name: job, grade: 1 }] });
    const from = now() - 30 * hour;
    await work(get(), { citizenId, job, from, to: from + hour, proposed: true });
    await expect.poll(async () => (await waiting(leader)).length, patience).toBe(1);
    const [request] = await waiting(leader);
    await promote({ licence } as TestActor, job, 3);
    const password = "a good password";
    await app.process.assembly
      .api(accountsApi)
      .create({ kind: "system", name: "test" }, { licence, username: licence, password });
    const cookie = cookieOf(await app.call(login, { body: { username: licence, password } }));
    const own = { cookie, characterId: citizenId } as TestActor;
    const refused = await approve({ ...own, token: await world.tokenOf(own) }, request!);
    expect([refused.status, refused.body.code]).toEqual([403, "approvals.ownRequest"]);
  });

  test("are not decided by the account with another of its characters, which it played when the game proposed them", async () => {
    const { app, world } = get();
    const { leader, job } = await team();
    const licence = newJob("both");
    await world.citizen({ identifier: `char2:${licence}`, jobs: [{ name: job, grade: 1 }] });
    const above = await world.citizen({ identifier: `char1:${licence}`, jobs: [{ name: job, grade: 3 }] });
    const password = "a good password";
    await app.process.assembly
      .api(accountsApi)
      .create({ kind: "system", name: "test" }, { licence, username: licence, password });
    const cookie = cookieOf(await app.call(login, { body: { username: licence, password } }));
    const superior = { cookie, characterId: above } as TestActor;
    const token = await world.tokenOf(superior);
    const { output } = await app.call(characters, {}, { cookie });
    const citizenId = output.characters.find(({ id }) => id !== above)!.id;
    const from = now() - 30 * hour;
    await work(get(), { citizenId, job, from, to: from + hour, proposed: true });
    await expect.poll(async () => (await waiting(leader)).length, patience).toBe(1);
    const [request] = await waiting(leader);
    const refused = await approve({ ...superior, token }, request!);
    expect([refused.status, refused.body.code]).toEqual([403, "approvals.ownRequest"]);
    const ofAccount = await app.call(listNotifications, { query: {} }, { token });
    expect(ofAccount.output.items.filter(({ kind }) => kind === "approvals.waiting")).toEqual([]);
    expect((await approve(leader, request!)).status).toBe(200);
  });

  test("that the program cannot carry out say so, and nothing of other jobs", async () => {
    const { app } = get();
    const { member, leader, job } = await team();
    const entry = await oneEntry(get(), member, job);
    const elsewhere = { citizenId: member.characterId, job: newJob("elsewhere"), from: entry.from - 4 * hour };
    const asked = await correct(member, entry, { from: local(entry.from - 5 * hour), to: local(entry.to), reason: "Forgot" });
    expect(asked.status).toBe(200);
    await work(get(), { ...elsewhere, to: entry.from - 3 * hour, ending: "silence" });
    const counted = async () =>
      await app.process.container.db.read("test.counted", async (tx) => {
        const select = queries<TimeclockTables>(tx).selectFrom("timeclock_entries").selectAll();
        return await select.where("job", "=", elsewhere.job).execute();
      });
    await expect.poll(async () => (await counted()).length, patience).toBe(1);
    const [request] = await waiting(leader);
    const refused = await approve(leader, request!);
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([
      409,
      "approvals.impossible",
      { reason: "timeclock.approvals.correction.refusals.overlapsElsewhere" },
    ]);
    expect(await waiting(leader)).toHaveLength(1);
    const [taken] = (await entriesOf(get(), member))[0]!.corrections;
    await app.call(cancelCorrection, { params: { id: taken!.id }, body: { version: taken!.version } }, as(member));
    const [later] = await entriesOf(get(), member);
    const own = await correct(member, later!, { from: local(entry.from - 5 * hour), to: local(entry.to), reason: "Forgot" });
    expect([own.status, own.body.code, own.body.params]).toEqual([409, "timeclock.overlapsElsewhere", {}]);
  });

  test("are proposed to the person when the end of a shift is only estimated", async () => {
    const { app } = get();
    const { member, job } = await team();
    const from = now() - 3 * hour;
    await work(get(), { citizenId: member.characterId, job, from, to: from + hour, ending: "silence" });
    const notes = async () => (await app.call(listNotifications, { query: {} }, as(member))).output.items;
    const day = local(from).slice(0, 10);
    const note = { kind: "timeclock.endEstimated", link: `/jobs/timeclock?span=day&day=${day}` };
    await expect.poll(notes, patience).toMatchObject([note]);
    await oneEntry(get(), member, job);
    await expect.poll(async () => (await entriesOf(get(), member)).length, patience).toBe(2);
    expect(await notes()).toHaveLength(1);
  });

  test("of a citizen who was removed for good wait for nobody", async () => {
    const { app } = get();
    const { member, leader, job } = await team();
    await ask(member, await oneEntry(get(), member, job));
    expect(await waiting(leader)).toHaveLength(1);
    const { db, ports } = app.process.container;
    const payload = { citizenIds: [member.characterId] };
    await db.write("test.purged", async (tx) => {
      await ports.outbox.emit(tx, citizensPurged, { key: "citizens", version: ports.clock.now(), payload });
    });
    await expect.poll(async () => await waiting(leader), patience).toEqual([]);
  });

  test("show those who decide the day, also when they do not see hours", async () => {
    const { app } = get();
    const { member, leader, job } = await team();
    const entry = await oneEntry(get(), member, job);
    const before = { citizenId: member.characterId, job, from: entry.from - 2 * hour, to: entry.from - hour };
    await work(get(), { ...before, ending: "silence" });
    await expect.poll(async () => (await entriesOf(get(), member)).length, patience).toBe(2);
    await ask(member, entry);
    const [request] = await waiting(leader);
    const { output } = await app.call(getApproval, { params: { id: request!.id } }, as(leader));
    const shown = (from: number, to: number) => `${local(from).replace("T", " ")} – ${local(to).replace("T", " ")}`;
    expect(output.facts).toEqual([
      { label: "timeclock.approvals.correction.facts.old", values: [shown(entry.from, entry.to)] },
      { label: "timeclock.approvals.correction.facts.new", values: [shown(entry.from, entry.to - 10 * minute)] },
      {
        label: "timeclock.approvals.correction.facts.day",
        values: [shown(before.from, before.to), shown(entry.from, entry.to)],
      },
    ]);
    expect(output.link).toBe(`/jobs/timeclock?person=${member.characterId}&span=day&day=${local(entry.from).slice(0, 10)}`);
  });
});
