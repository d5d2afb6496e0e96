import { CompiledQuery } from "kysely";
import { expect, test, vi } from "vitest";
import { writeCursor } from "#core/cursor.ts";
import { queries } from "#core/db/index.ts";
import { approveRequest, listApprovals, refuseRequest } from "#features/approvals/approvals.contract.ts";
import { mustAsk } from "#features/absences/absences.testkit.ts";
import type { ColleagueTables } from "#features/colleagues/colleagues.schema.ts";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  cancelCorrection,
  getHours,
  getTeam,
  listEntries,
  listInactive,
  putTargets,
  requestCorrection,
  timeclockExport,
} from "./timeclock.contract.ts";
import type { TimeclockTables } from "./timeclock.schema.ts";
import { entriesOf, lastDays, local, newJob, oneEntry, shorter, work } from "./timeclock.testkit.ts";

const minute = 60_000;
const hour = 60 * minute;
const patience = { timeout: 20_000, interval: 20 };

describeApps("the timeclock", (get) => {
  /** Somebody with a leader and a chief above, who decide, and a colleague without a right. */
  async function team() {
    const { world } = get();
    const job = newJob("clock");
    await world.job(job, [0, 1, 2, 3]);
    const rights = {
      "timeclock.view": { whose: ["own", "lower"] },
      "timeclock.approve": true,
      "timeclock.export": true,
    } as const;
    const colleague = await world.actor({ job, grade: 0 });
    const member = await world.actor({ job, grade: 1 });
    const leader = await world.actor({ job, grade: 2, rights: { ...rights, "timeclock.view": { whose: ["own", "lower"] } } });
    const chief = await world.actor({ job, grade: 3 });
    return { job, colleague, member, leader, chief };
  }

  const as = ({ token }: TestActor) => ({ token });
  const now = () => Math.floor(get().app.process.container.ports.clock.now() / 1000) * 1000;
  const hours = async (actor: TestActor, id = actor.characterId) =>
    await get().app.call(getHours, { params: { id }, query: lastDays(get(), 40) }, as(actor));
  const secondsOf = async (actor: TestActor) => (await hours(actor)).output.seconds;
  const correct = async (actor: TestActor, id: number, body: { version: number; from: string; to: string; reason?: string }) =>
    await get().app.call(requestCorrection, { params: { id }, body: { reason: "Forgot", ...body } }, as(actor));
  const requests = async (actor: TestActor) =>
    (await get().app.call(listApprovals, { query: {} }, as(actor))).output.items.filter(
      ({ kind }) => kind === "timeclock.correction",
    );
  const approve = async (actor: TestActor, { id, version }: { readonly id: number; readonly version: number }) =>
    await get().app.call(approveRequest, { params: { id }, body: { version } }, as(actor));
  /** Every row of the days is the sum of the parts of counted entries. */
  const sums = async () => {
    const read = async (text: string) =>
      await get().app.process.container.db.read("test.sums", async (tx) => {
        const { rows } = await queries(tx).executeQuery(CompiledQuery.raw(text));
        return (rows as { citizen_id: number; seconds: unknown }[]).map((row) => [row.citizen_id, Number(row.seconds)]);
      });
    const days = await read("select citizen_id, sum(seconds) seconds from timeclock_days group by citizen_id order by 1");
    const counted = "select citizen_id, sum(floor(to_at / 1000) - floor(from_at / 1000)) seconds from timeclock_entries";
    const entries = await read(`${counted} where state = 'counted' group by citizen_id order by 1`);
    expect(days.filter(([, seconds]) => seconds !== 0)).toEqual(entries);
  };

  test("counts each duty that has ended once, also when it is reported again", async () => {
    const { member, job } = await team();
    const entry = await oneEntry(get(), member, job);
    expect(entry).toMatchObject({
      seconds: 7200,
      state: "counted",
      ending: "off",
      by: "game",
      corrections: [],
      may: ["correct"],
    });
    expect((await hours(member)).output).toMatchObject({ seconds: 7200, targetHours: null, job: { name: job, grade: 1 } });
    const late = await work(get(), { citizenId: member.characterId, job, from: now() - 4 * hour, to: now() - 3 * hour });
    await vi.waitFor(async () => expect(await entriesOf(get(), member)).toHaveLength(2), patience);
    expect(late).toBeGreaterThan(0);
    await sums();
  });

  test("counts what was reported late only when somebody of a higher grade approves it", async () => {
    const { member, leader, chief, colleague, job } = await team();
    const citizenId = member.characterId;
    const from = now() - 30 * hour;
    await work(get(), { citizenId, job, from, to: from + hour, proposed: true });
    await work(get(), { citizenId, job, from: from + 2 * hour, to: from + 3 * hour });
    await work(get(), { citizenId, job, from: from + 4 * hour, to: from + 5 * hour, ending: "silence" });
    await vi.waitFor(async () => expect(await entriesOf(get(), member)).toHaveLength(3), patience);
    expect((await entriesOf(get(), member)).map(({ state }) => state)).toEqual(["counted", "proposed", "proposed"]);
    expect(await secondsOf(member)).toBe(3600);
    expect([await requests(member), await requests(colleague)]).toEqual([[], []]);
    expect(await requests(chief)).toHaveLength(2);
    const waiting = await requests(leader);
    expect(waiting).toHaveLength(2);
    expect((await approve(leader, waiting[0]!)).status).toBe(200);
    expect(await secondsOf(member)).toBe(7200);
    const { id, version } = waiting[1]!;
    await get().app.call(refuseRequest, { params: { id }, body: { version, reason: "Nobody saw you" } }, as(leader));
    expect((await entriesOf(get(), member)).map(({ state }) => state).toSorted()).toEqual(["counted", "counted", "rejected"]);
    expect(await secondsOf(member)).toBe(7200);
    await sums();
  });

  test("is corrected by request and approval, with its history", async () => {
    const { app } = get();
    const { member, leader, colleague, job } = await team();
    const entry = await oneEntry(get(), member, job);
    const { version } = entry;
    expect((await correct(colleague, entry.id, { version, ...shorter(entry) })).body.code).toBe("timeclock.notFound");
    expect((await correct(leader, entry.id, { version, ...shorter(entry) })).body.code).toBe("timeclock.notFound");
    const asked = await correct(member, entry.id, { version, ...shorter(entry) });
    expect(asked.output).toMatchObject({ version: version + 1, may: [], corrections: [{ state: "requested", may: ["cancel"] }] });
    const again = await correct(member, entry.id, { version: version + 1, ...shorter(entry) });
    expect(again.body.code).toBe("timeclock.pending");
    const open = asked.output.corrections[0]!;
    const taken = await app.call(cancelCorrection, { params: { id: open.id }, body: { version: open.version } }, as(member));
    expect(taken.output).toMatchObject({ may: ["correct"], corrections: [{ state: "cancelled" }] });
    expect(await requests(leader)).toEqual([]);
    await correct(member, entry.id, { version: taken.output.version, ...shorter(entry) });
    const [request] = await requests(leader);
    await approve(leader, request!);
    const [after] = await entriesOf(get(), member);
    expect(after).toMatchObject({
      seconds: 6600,
      state: "counted",
      corrections: [{ state: "cancelled" }, { state: "approved" }],
    });
    expect(after!.corrections[1]).toMatchObject({ oldTo: entry.to, to: entry.to - 10 * minute, decision: { reason: null } });
    expect(await secondsOf(member)).toBe(6600);
    await sums();
  });

  test("refuses corrections that overlap, also when another entry came before the decision", async () => {
    const { member, leader, job } = await team();
    const entry = await oneEntry(get(), member, job);
    const citizenId = member.characterId;
    await work(get(), { citizenId, job, from: now() - 5 * hour, to: now() - 4 * hour, ending: "silence" });
    await vi.waitFor(async () => expect(await entriesOf(get(), member)).toHaveLength(2), patience);
    const other = (await entriesOf(get(), member))[1]!;
    const overlapping = { version: entry.version, from: local(other.from), to: local(entry.to) };
    const refused = await correct(member, entry.id, overlapping);
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([409, "timeclock.overlaps", { id: other.id }]);
    const asked = await correct(member, entry.id, { ...overlapping, from: local(other.to + 10 * minute) });
    expect(asked.status).toBe(200);
    const between = { from: other.to + 20 * minute, to: other.to + 40 * minute };
    await work(get(), { citizenId, job, ...between, ending: "silence" });
    await vi.waitFor(async () => expect(await entriesOf(get(), member)).toHaveLength(3), patience);
    const [request] = await requests(leader);
    const decided = await approve(leader, request!);
    expect([decided.status, decided.body.code]).toEqual([409, "approvals.impossible"]);
    await sums();
  });

  test("shows others by rank, and exports them", async () => {
    const { app, world } = get();
    const { member, leader, chief, colleague, job } = await team();
    for (const actor of [member, leader, chief, colleague]) await oneEntry(get(), actor, job);
    const query = lastDays(get(), 6);
    const { output } = await app.call(getTeam, { query }, as(leader));
    const ids = [member, leader, colleague].map(({ characterId }) => characterId).toSorted((a, b) => a - b);
    expect(output.people.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids);
    expect(output.days.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(3 * 7200);
    const graded = await app.call(getTeam, { query: { ...query, grade: 1 } }, as(leader));
    expect(graded.output.people).toMatchObject([{ id: member.characterId, seconds: 7200, days: [{}] }]);
    expect((await app.call(getTeam, { query }, as(member))).status).toBe(403);
    expect((await hours(leader, chief.characterId)).status).toBe(404);
    expect((await hours(leader, member.characterId)).output.seconds).toBe(7200);
    expect((await hours(member, colleague.characterId)).body.code).toBe("timeclock.notFound");
    const entries = await app.call(listEntries, { query: { ...query, citizenId: chief.characterId } }, as(leader));
    expect(entries.body.code).toBe("timeclock.notFound");
    const outsider = await world.actor({ job: newJob("other"), rights: { "timeclock.view": { whose: ["any"] } } });
    expect((await hours(outsider, member.characterId)).status).toBe(404);
    expect((await app.call(getTeam, { query }, as(outsider))).output.people).toEqual([]);
    const exporter = new Exporter(get(), leader);
    const { output: asked } = await exporter.request(timeclockExport, query);
    await expect.poll(async () => (await exporter.find(asked.id))?.state, patience).toBe("done");
    const [, ...rows] = (await exporter.download(asked.id)).text.trimEnd().split("\r\n");
    expect(rows).toHaveLength(3);
  });

  test("shows the target of the grade", async () => {
    const { app, world } = get();
    const { member, leader, job } = await team();
    await world.grant(job, 2, { "timeclock.targets": true, "timeclock.view": { whose: ["lower"] } });
    const body = { version: 0, targets: [{ grade: 1, hours: 8 }] };
    expect((await app.call(putTargets, { body }, as(member))).status).toBe(403);
    const token = await world.tokenOf(leader);
    for (const grades of [[1, 1], [77]]) {
      const wrong = { version: 0, targets: grades.map((grade) => ({ grade, hours: 8 })) };
      expect((await app.call(putTargets, { body: wrong }, { token })).body.code).toBe("system.invalidInput");
    }
    expect((await app.call(putTargets, { body }, { token })).output).toMatchObject({ version: 1 });
    expect((await app.call(putTargets, { body }, { token })).body.code).toBe("timeclock.stale");
    expect((await hours({ ...member, token: await world.tokenOf(member) })).output.targetHours).toBe(8);
    expect((await hours({ ...leader, token })).output.targetHours).toBe(null);
  });

  test("names who has not worked for days, of those whom the permission covers", async () => {
    const { app } = get();
    const { member, leader, chief, colleague, job } = await team();
    await oneEntry(get(), member, job);
    const { output } = await app.call(listInactive, { query: { days: 14 } }, as(leader));
    // Since when is known to nobody.
    expect(output.people).toMatchObject([{ id: colleague.characterId, workedAt: null, hiredAt: null, days: null }]);
    await app.process.container.db.write("test.hired", async (tx) => {
      await queries<ColleagueTables>(tx)
        .updateTable("colleagues")
        .set({ since: now() - 20 * 24 * hour })
        .where("job", "=", job)
        .execute();
    });
    const later = await app.call(listInactive, { query: {} }, as(leader));
    expect(later.output).toMatchObject({ people: [{ id: colleague.characterId, workedAt: null, days: 20 }], complete: true });
    await mustAsk(get(), colleague, [-5, 0]);
    // Who may not see who is absent would learn it by the difference.
    expect((await app.call(listInactive, { query: { days: 16 } }, as(leader))).output.people).toHaveLength(1);
    await get().world.grant(job, 2, { "absences.list": true });
    for (const one of [leader, chief, member]) (one as { token: string }).token = await get().world.tokenOf(one);
    expect((await app.call(listInactive, { query: { days: 16 } }, as(leader))).output.people).toEqual([]);
    expect((await app.call(listInactive, { query: {} }, as(chief))).output.people).toHaveLength(2);
    // Entries may be kept for a shorter time than the days that they were counted on.
    await app.process.container.db.write("test.removed", async (tx) => {
      await queries<TimeclockTables>(tx).deleteFrom("timeclock_entries").where("job", "=", job).execute();
    });
    expect((await app.call(listInactive, { query: { days: 16 } }, as(leader))).output.people).toEqual([]);
    expect((await app.call(listInactive, { query: {} }, as(member))).status).toBe(403);
  });

  test("refuses ranges that nobody can mean", async () => {
    const { app } = get();
    const { member } = await team();
    const ask = async (firstDay: string, lastDay: string) =>
      (await app.call(getHours, { params: { id: member.characterId }, query: { firstDay, lastDay } }, as(member))).body.code;
    expect(await ask("2026-02-31", "2026-03-01")).toBe("system.invalidInput");
    expect(await ask("2026-03-02", "2026-03-01")).toBe("timeclock.lastBeforeFirst");
    expect(await ask("2024-03-02", "2026-03-01")).toBe("timeclock.tooManyDays");
    const cursor = writeCursor({ order: "", key: "abc", id: 5 });
    const query = { ...lastDays(get(), 7), citizenId: member.characterId, cursor };
    expect((await app.call(listEntries, { query }, as(member))).status).toBe(400);
  });
});
