import { expect, test } from "vitest";
import { bulkInsert } from "#core/db/index.ts";
import { approveRequest, getApproval, listApprovals, refuseRequest } from "#features/approvals/approvals.contract.ts";
import { colleaguesActivities } from "#features/colleagues/colleagues.schema.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  cancelCorrection,
  closePeriod,
  getHours,
  listLaterChanges,
  mostRequests,
  requestCorrection,
  requestMissing,
} from "./timeclock.contract.ts";
import { endedPeriod, entriesOf, lastDays, local, newJob, oneEntry, shorter } from "./timeclock.testkit.ts";

const hour = 3_600_000;

describeApps("missing entries of the timeclock", (get) => {
  const as = ({ token }: TestActor) => ({ token });
  const now = () => Math.floor(get().app.process.container.ports.clock.now() / 1000) * 1000;

  async function team(rights: Record<string, boolean> = {}) {
    const { world } = get();
    const job = newJob("missing");
    await world.job(job, [0, 1, 2]);
    const member = await world.actor({ job, grade: 1 });
    const leader = await world.actor({ job, grade: 2, rights: { "timeclock.approve": true, ...rights } });
    return { job, member, leader };
  }

  const body = (from: number, to: number, reason = "Nobody counted it") => ({ from: local(from), to: local(to), reason });
  const add = async (actor: TestActor, from: number, to: number) =>
    await get().app.call(requestMissing, { body: body(from, to) }, as(actor));

  const waiting = async (actor: TestActor) =>
    (await get().app.call(listApprovals, { query: {} }, as(actor))).output.items.filter(
      ({ kind }) => kind === "timeclock.missing",
    );

  const seconds = async (actor: TestActor) =>
    (await get().app.call(getHours, { params: { id: actor.characterId }, query: lastDays(get(), 10) }, as(actor))).output.seconds;

  test("count once somebody of a higher grade has approved them", async () => {
    const { app } = get();
    const { job, member, leader } = await team();
    const from = now() - 30 * hour;
    const asked = await add(member, from, from + 2 * hour);
    expect(asked.status).toBe(200);
    expect(asked.output).toMatchObject({
      ...{ citizenId: member.characterId, from, to: from + 2 * hour, seconds: 7200, asked: true, state: "proposed", may: [] },
      corrections: [{ kind: "missing", state: "requested", reason: "Nobody counted it", may: ["cancel"] }],
    });
    expect(await seconds(member)).toBe(0);
    const [request] = await waiting(leader);
    // By themselves, so that each reader gets the days as their language writes them.
    const [fromDay, clock] = local(from).split("T");
    expect(request!.params).toMatchObject({ newFromDay: fromDay, newFrom: clock!.replace(/:00$/, "") });
    const { output } = await app.call(getApproval, { params: { id: request!.id } }, as(leader));
    const times = `${local(from).replace("T", " ")} – ${local(from + 2 * hour).replace("T", " ")}`;
    expect(output.facts).toEqual([
      { label: "timeclock.approvals.correction.facts.new", values: [times] },
      { label: "timeclock.approvals.correction.facts.gradeOfNow", values: [`${job} 1`] },
      { label: "timeclock.approvals.correction.facts.day", values: [] },
    ]);
    expect(await waiting(member)).toEqual([]);
    const { id, version } = request!;
    expect((await app.call(approveRequest, { params: { id }, body: { version } }, as(leader))).status).toBe(200);
    expect(await seconds(member)).toBe(7200);
    const [entry] = await entriesOf(get(), member);
    expect(entry).toMatchObject({ state: "counted", asked: true, may: ["correct"] });
    // It is corrected as any other.
    const change = { version: entry!.version, ...shorter(entry!) };
    const changed = await app.call(requestCorrection, { params: { id: entry!.id }, body: change }, as(member));
    expect(changed.output.corrections.map(({ kind }) => kind)).toEqual(["missing", "change"]);
  });

  test("count with the grade that the person had when they began, as far as that is known", async () => {
    const { app } = get();
    const { job, member, leader } = await team();
    const at = now() - 24 * hour;
    await app.process.container.db.write("test.promoted", async (tx) => {
      const change = JSON.stringify({ v: 1, before: { grade: 0 }, after: { grade: 1 } });
      const row = { job, citizen_id: member.characterId, grade: 1, kind: "promoted", at, change };
      const nobody = { actor_id: null, actor_name: null, reason: null, game_key: null };
      await bulkInsert(tx, colleaguesActivities, [{ ...row, ...nobody }]);
    });
    const before = await add(member, at - 3 * hour, at - 2 * hour);
    const after = await add(member, at + hour, at + 2 * hour);
    expect([before.output.job.grade, after.output.job.grade]).toEqual([0, 1]);
    const [, request] = await waiting(leader);
    const { output } = await app.call(getApproval, { params: { id: request!.id } }, as(leader));
    expect(output.facts).toContainEqual({ label: "timeclock.approvals.correction.facts.grade", values: [`${job} 0`] });
  });

  test("are refused for a time in which the person had left the job", async () => {
    const { job, member } = await team();
    const at = now() - 24 * hour;
    await get().app.process.container.db.write("test.left", async (tx) => {
      const nobody = { actor_id: null, actor_name: null, reason: null, game_key: null };
      const row = {
        job,
        citizen_id: member.characterId,
        grade: 1,
        change: JSON.stringify({ v: 1, before: { grade: 1 }, after: {} }),
        ...nobody,
      };
      await bulkInsert(tx, colleaguesActivities, [
        { ...row, kind: "left", at },
        { ...row, kind: "hired", at: at + 8 * hour },
      ]);
    });
    expect((await add(member, at + hour, at + 2 * hour)).body.code).toBe("timeclock.notEmployedThen");
    expect((await add(member, at + 9 * hour, at + 10 * hour)).status).toBe(200);
  });

  test("are refused for a time before the person was hired, and so is an earlier beginning", async () => {
    const { job, member } = await team();
    const entry = await oneEntry(get(), member, job);
    const at = entry.from - 2 * hour;
    await get().app.process.container.db.write("test.hired", async (tx) => {
      const nobody = { actor_id: null, actor_name: null, reason: null, game_key: null };
      const change = JSON.stringify({ v: 1, before: {}, after: { grade: 1 } });
      const row = { job, citizen_id: member.characterId, grade: 1, kind: "hired", at, change };
      await bulkInsert(tx, colleaguesActivities, [{ ...row, ...nobody }]);
    });
    expect((await add(member, at - 2 * hour, at - hour)).body.code).toBe("timeclock.notEmployedThen");
    const correct = async (from: number) => {
      const body = { version: entry.version, from: local(from), to: local(entry.to), reason: "Earlier" };
      return await get().app.call(requestCorrection, { params: { id: entry.id }, body }, as(member));
    };
    expect((await correct(at - hour)).body.code).toBe("timeclock.notEmployedThen");
    expect((await correct(at + hour)).status).toBe(200);
  });

  test("that are refused or taken back never count, and are free to be asked for again", async () => {
    const { app } = get();
    const { member, leader } = await team();
    const from = now() - 30 * hour;
    await add(member, from, from + hour);
    const { id, version } = (await waiting(leader))[0]!;
    const refusal = { version, reason: "You were not there" };
    expect((await app.call(refuseRequest, { params: { id }, body: refusal }, as(leader))).status).toBe(200);
    expect(await entriesOf(get(), member)).toMatchObject([{ state: "rejected", corrections: [{ state: "declined" }] }]);
    const again = (await add(member, from, from + hour)).output.corrections[0]!;
    const cancel = { params: { id: again.id }, body: { version: again.version } };
    expect((await app.call(cancelCorrection, cancel, as(member))).output).toMatchObject({
      state: "rejected",
      corrections: [{ state: "cancelled", may: [] }],
    });
    expect(await waiting(leader)).toEqual([]);
    expect(await seconds(member)).toBe(0);
    expect((await add(member, from, from + hour)).status).toBe(200);
  });

  test("overlap with nothing that counts or waits", async () => {
    const { member, job } = await team();
    const entry = await oneEntry(get(), member, job);
    const refused = await add(member, entry.from - hour, entry.from + 1000);
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([409, "timeclock.overlaps", { id: entry.id }]);
    const free = await add(member, entry.from - hour, entry.from);
    expect(free.status).toBe(200);
    const twice = await add(member, entry.from - hour, entry.from);
    expect([twice.status, twice.body.code, twice.body.params]).toEqual([409, "timeclock.overlaps", { id: free.output.id }]);
  });

  test("are of the past, of the last 30 days, and so many a day only", async () => {
    const { member } = await team();
    const code = async (from: number, to: number) => (await add(member, from, to)).body.code;
    expect(await code(now() - hour, now() + hour)).toBe("timeclock.future");
    expect(await code(now() - hour, now() - 2 * hour)).toBe("timeclock.endBeforeStart");
    expect(await code(now() - 32 * 24 * hour, now() - 31 * 24 * hour)).toBe("timeclock.tooOld");
    const before = now() - 30 * hour;
    for (let n = 1; n <= mostRequests; n += 1) {
      const from = before - n * hour;
      expect((await add(member, from, from + hour)).status).toBe(200);
    }
    expect(await code(now() - 10 * hour, now() - 9 * hour)).toBe("timeclock.tooMany");
  });

  test("in a closed pay period stand beside it", async () => {
    const { app } = get();
    const { member, leader } = await team({ "timeclock.close": true });
    const { id, version } = await endedPeriod(get(), leader);
    expect((await app.call(closePeriod, { params: { id }, body: { version } }, as(leader))).status).toBe(200);
    const from = now() - 60 * hour;
    await add(member, from, from + hour);
    const later = async () => (await app.call(listLaterChanges, { query: { periodId: id } }, as(leader))).output.items;
    expect(await later()).toEqual([]);
    const request = (await waiting(leader))[0]!;
    await app.call(approveRequest, { params: { id: request.id }, body: { version: request.version } }, as(leader));
    expect(await later()).toMatchObject([{ seconds: 3600, carried: null }]);
  });
});
