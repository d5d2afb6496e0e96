import { expect, test } from "vitest";
import { approveRequest, getApproval, listApprovals } from "#features/approvals/approvals.contract.ts";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { dayFromNow } from "#testkit/days.ts";
import { eventsOf } from "#testkit/reactions.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { absencesApi } from "./absences.api.ts";
import {
  absencesChanged,
  cancelAbsence,
  decideAbsence,
  escalateAbsence,
  listOwn,
  listWaiting,
  mostWaiting,
} from "./absences.contract.ts";
import { AbsenceLists } from "./absences.list.service.ts";
import { latest } from "./absences.repo.ts";
import { addKind, managerRights, mustAsk, newJob } from "./absences.testkit.ts";

const soon = { timeout: 20_000 };

describeApps("absences, as time and the game go on", (get) => {
  const as = ({ token }: TestActor) => ({ token });
  const waits = async (actor: TestActor, id: number) =>
    (await get().app.call(listWaiting, {}, as(actor))).output.items.some((one) => one.id === id);
  const now = () => get().app.process.container.ports.clock.now();

  /** Runs the task that asks the next grade, as its worker does. */
  async function escalate(id: number, grade: number): Promise<void> {
    const { assembly, container } = get().app.process;
    const handler = assembly.tasks.find(({ task }) => task.id === escalateAbsence.id);
    if (!handler || !("apply" in handler)) throw new Error("nothing asks the next grade");
    const task = { id: "test", payload: { id, grade }, dueAt: 0, attempt: 1 };
    await container.db.write("test.escalate", async (tx) => await handler.apply(tx, task as never));
  }

  /** Waiting tasks that ask the next grade about an absence. */
  async function planned(id: number): Promise<{ grade: number; dueAt: number }[]> {
    return await get().app.process.container.db.exclusive("test.planned", async ({ connection }) => {
      const { rows } = await connection.execute("select payload, due_at from worker_tasks where kind = ? order by id", [
        escalateAbsence.id,
      ]);
      return rows
        .map(({ payload, due_at }) => ({
          ...(JSON.parse(String(payload)) as { id: number; grade: number }),
          dueAt: Number(due_at),
        }))
        .filter((one) => one.id === id)
        .map(({ grade, dueAt }) => ({ grade, dueAt }));
    });
  }

  test("wait for the nearest grade of which somebody is there, a day later for the next one, at last for job admins", async () => {
    const { world } = get();
    const job = newJob("grades");
    await world.job(job, [0, 1, 2, 3, 4]);
    const chief = await world.actor({ job, grade: 4, rights: managerRights });
    await world.grant(job, 2, { "absences.approve": true });
    const [low, middle] = [await world.actor({ job, grade: 2 }), await world.actor({ job, grade: 3 })];
    const admin = await world.actor({ job, grade: 0, groups: ["lead"], jobAdmin: true });
    const member = await world.actor({ job, grade: 1 });
    await mustAsk(get(), low, [0, 1]);
    // Is there, but plays no character here that could be asked.
    await world.citizen({ jobs: [{ name: job, grade: 2 }] });
    const kind = await addKind(get(), { token: await world.tokenOf(chief) });
    const { id } = await mustAsk(get(), member, [5, 6], { kindId: kind.id });
    const all = await Promise.all([low, middle, chief].map(async (one) => ({ ...one, token: await world.tokenOf(one) })));
    const deciders = async () => await Promise.all(all.map(async (one) => await waits(one, id)));
    expect(await deciders()).toEqual([false, true, false]);
    expect(await planned(id)).toMatchObject([{ grade: 3 }]);
    expect((await planned(id))[0]!.dueAt - now()).toBeGreaterThan(23 * 3_600_000);
    const told = async () => (await eventsOf(get(), absencesChanged)).filter(({ jobs }) => jobs.includes(job)).length;
    const before = await told();
    await escalate(id, 3);
    expect(await deciders()).toEqual([false, true, true]);
    // Open pages of those who are asked now show it.
    expect(await told()).toBe(before + 1);
    expect((await planned(id)).map(({ grade }) => grade)).toEqual([3, 4]);
    await escalate(id, 4);
    const { output } = await get().app.call(listNotifications, { query: {} }, as(admin));
    expect(output.items.map(({ kind: one }) => one)).toContain("approvals.waiting");
    expect(await waits(admin, id)).toBe(true);
    expect((await planned(id)).map(({ grade }) => grade)).toEqual([3, 4]);
    const decided = await get().app.call(decideAbsence, { params: { id }, body: { version: 1, approve: true } }, as(admin));
    expect(decided.output.state).toBe("approved");
    // What was decided in the meantime is left alone.
    await escalate(id, 3);
    expect(await deciders()).toEqual([false, false, false]);
  });

  test("of which nobody of a higher grade can decide wait for job admins at once", async () => {
    const { world } = get();
    const job = newJob("alone");
    await world.job(job, [0, 1]);
    const boss = await world.actor({ job, grade: 1, rights: managerRights });
    const kind = await addKind(get(), boss);
    const { id } = await mustAsk(get(), boss, [1, 2], { kindId: kind.id });
    expect(await planned(id)).toEqual([]);
    const admin = await world.actor({ job, grade: 0, groups: ["lead"], jobAdmin: true });
    expect(await waits(admin, id)).toBe(true);
  });

  test("end with the job: what is past stays, what waits is withdrawn, and a new hire brings nothing back", async () => {
    const { app, world } = get();
    const job = newJob("leaving");
    await world.job(job, [0, 1, 2]);
    const boss = await world.actor({ job, grade: 2, rights: managerRights });
    const member = await world.actor({ job, grade: 1 });
    const other = await world.actor({ job, grade: 1 });
    const running = await mustAsk(get(), member, [-2, 3]);
    const coming = await mustAsk(get(), member, [5, 6]);
    await mustAsk(get(), other, [-1, 3]);
    const kind = await addKind(get(), boss);
    const asked = await mustAsk(get(), member, [10, 12], { kindId: kind.id });
    const rows = async () => {
      const ids = [running.id, coming.id, asked.id];
      return await app.process.container.db.exclusive("test.rows", async ({ connection }) => {
        const { rows: found } = await connection.execute(
          `select state, last_day from absences where id in (${ids.join(", ")}) order by id`,
          [],
        );
        return found.map((row) => [row["state"], row["last_day"]]);
      });
    };
    const identifier = await identifierOf(member.characterId);
    const send = async (name: string) => {
      const items = [{ identifier, firstName: "Mara", lastName: "Lind", licence: member.licence, jobs: [{ name, grade: 1 }] }];
      const { body } = await app.call(syncUsers, { body: { items } }, { token: testSecrets.sync });
      expect(body.rejected).toEqual([]);
    };
    await send("unemployed");
    const ended = [
      ["approved", dayFromNow(get(), -1)],
      ["cancelled", dayFromNow(get(), 6)],
      ["cancelled", dayFromNow(get(), 12)],
    ];
    await expect.poll(rows, soon).toEqual(ended);
    expect((await app.call(listApprovals, { query: {} }, as(boss))).output.items).toEqual([]);
    await send(job);
    expect(await rows()).toEqual(ended);
    expect(await absentIn(job)).toEqual([other.characterId]);
  });

  async function identifierOf(id: number): Promise<string> {
    return await get().app.process.container.db.exclusive("test.identifier", async ({ connection }) => {
      const { rows } = await connection.execute("select identifier from citizens where id = ?", [id]);
      return String(rows[0]?.["identifier"]);
    });
  }

  async function absentIn(job: string): Promise<number[]> {
    const { assembly, container } = get().app.process;
    const found = await container.db.read("test.absent", async (tx) => await assembly.api(absencesApi).in(tx, job, now()));
    return found.map(({ citizenId }) => citizenId).toSorted((a, b) => a - b);
  }

  test("are neither decided nor read by a former superior, nor by who decided and left the job since", async () => {
    const { app, world } = get();
    const [job, away] = [newJob("past"), newJob("away")];
    await world.job(job, [0, 1, 2, 3]);
    await world.job(away, [0]);
    await world.grant(job, 2, managerRights);
    const [decider, member, other] = (await Promise.all([2, 1, 1].map(async (grade) => await world.actor({ job, grade })))) as [
      TestActor,
      TestActor,
      TestActor,
    ];
    const send = async ({ licence }: TestActor, name: string, grade: number) => {
      const item = { identifier: `char1:${licence}`, firstName: "Act", lastName: "Or", jobs: [{ name, grade }] };
      await app.call(syncUsers, { body: { items: [item] } }, { token: testSecrets.sync });
    };
    const kind = await addKind(get(), decider);
    const open = await mustAsk(get(), member, [1, 2], { kindId: kind.id, reason: "Operation" });
    const past = await mustAsk(get(), other, [1, 2], { kindId: kind.id, reason: "Operation" });
    await app.call(decideAbsence, { params: { id: past.id }, body: { version: 1, approve: true } }, as(decider));
    const texts = async (actor: TestActor) => {
      const token = await world.tokenOf(actor);
      const lists = (["waiting", "decided"] as const).map(
        async (list) => (await app.call(listApprovals, { query: { list } }, { token })).text,
      );
      return [...(await Promise.all(lists)), (await app.call(listWaiting, {}, { token })).text].map((text) =>
        text.includes("Operation"),
      );
    };
    const { id } = (await app.call(listApprovals, { query: {} }, as(decider))).output.items[0]!;
    expect([await texts(decider), (await app.call(getApproval, { params: { id } }, as(decider))).status]).toEqual([
      [true, true, true],
      200,
    ]);
    await send(member, job, 2);
    expect(await texts(decider)).toEqual([false, true, false]);
    expect((await app.call(getApproval, { params: { id } }, as(decider))).status).toBe(404);
    const verdict = { params: { id: open.id }, body: { version: 1, approve: true } };
    expect((await app.call(decideAbsence, verdict, as(decider))).status).toBe(404);
    const stale = await app.call(approveRequest, { params: { id }, body: { version: 7 } }, as(decider));
    expect([stale.body.code, stale.text.includes("Operation")]).toEqual(["approvals.notDecider", false]);
    await send(decider, away, 0);
    expect(await texts(decider)).toEqual([false, false, false]);
  });

  test("are the latest ones where they are more than one answer holds", async () => {
    const { world } = get();
    const job = newJob("many");
    const one = await world.actor({ job });
    for (const day of [0, 2, 4]) await mustAsk(get(), one, [day, day]);
    const between = { from: now(), until: now() + 10 * 86_400_000 };
    const days = await get().app.process.container.db.read("test.latest", async (tx) =>
      (await latest(tx, { job, citizenIds: [one.characterId] }, between, 2)).map(({ first_day }) => first_day),
    );
    expect(days).toEqual([dayFromNow(get(), 4), dayFromNow(get(), 2)]);
  });

  test("that wait for more decisions than one answer holds are said to be more", async () => {
    const { app, world } = get();
    const boss = await world.actor({ job: newJob("waiting"), rights: managerRights });
    const { db, ports } = app.process.container;
    const waiting = async (count: number) => {
      const decides = Array.from({ length: count }, (_none, at) => 900_000 + at);
      const shown = {
        seeing: async () => ({
          characterId: boss.characterId,
          job: "",
          reach: { any: true, upTo: null },
          entering: null,
          decides,
        }),
      };
      const lists = new AbsenceLists({ db, clock: ports.clock, kinds: {}, shown: { ...shown, shown: () => [] } } as never);
      return await lists.waiting({} as never);
    };
    expect(await waiting(mostWaiting)).toEqual({ items: [], complete: true });
    expect(await waiting(mostWaiting + 1)).toEqual({ items: [], complete: false });
    expect((await app.call(listWaiting, {}, as(boss))).output).toEqual({ items: [], complete: true });
  });

  test("are read by other features for many people in one statement, by the job and the instant", async () => {
    const { app, world } = get();
    const job = newJob("asked");
    const [one, other] = [await world.actor({ job }), await world.actor({ job })];
    const { id } = await mustAsk(get(), one, [0, 1]);
    await mustAsk(get(), other, [1, 2]);
    const ids = [one.characterId, other.characterId];
    const { assembly, container } = app.process;
    const of = async (of: string, at: number) =>
      await container.db.read("test.absent", async (tx) => [...(await assembly.api(absencesApi).of(tx, of, ids, at)).values()]);
    expect(await of(job, now())).toMatchObject([{ citizenId: one.characterId, lastDay: dayFromNow(get(), 1) }]);
    expect(await of(newJob("elsewhere"), now())).toEqual([]);
    const until = (await of(job, now()))[0]!.until;
    expect((await of(job, until - 1)).map(({ citizenId }) => citizenId)).toEqual(ids);
    expect((await of(job, until)).map(({ citizenId }) => citizenId)).toEqual([other.characterId]);
    await app.call(cancelAbsence, { params: { id }, body: { version: 1 } }, as(one));
    expect(await absentIn(job)).toEqual([]);
    expect((await app.call(listOwn, { query: {} }, as(one))).output.items).toMatchObject([{ state: "cancelled" }]);
  });
});
