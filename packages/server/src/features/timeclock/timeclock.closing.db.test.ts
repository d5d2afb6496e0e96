import { expect, it } from "vitest";
import type { CallContext } from "#core/feature.ts";
import { bulkInsert, queries } from "#core/db/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import { ClosingService } from "./timeclock.closing.service.ts";
import { LaterChanges } from "./timeclock.later.service.ts";
import * as periods from "./timeclock.periods.repo.ts";
import { PeriodsService } from "./timeclock.periods.service.ts";
import { changeDays } from "./timeclock.days.repo.ts";
import { timeclockDays, timeclockPeriods, type TimeclockTables } from "./timeclock.schema.ts";

const job = "police";
const day = "2026-11-18";
const people = [1, 2, 3, 4, 5];

describeDatabases("closing a pay period in parts", (get) => {
  async function started() {
    const { db, clock } = get();
    const enqueued: string[] = [];
    const tasks = {
      enqueue: async (_tx: unknown, _task: unknown, { key = "" }: { key?: string }) => {
        enqueued.push(key);
        return "";
      },
    };
    const closing = new ClosingService({
      ...{ db, clock, chunk: 2, tasks: tasks as never },
      audit: { record: async () => undefined } as never,
      service: { changed: async () => undefined },
      periods: new PeriodsService({ db, clock, duty: { in: async () => [] } }),
    });
    const later = new LaterChanges({ clock, notifications: { notifyEach: async () => undefined } as never });
    const at = clock.now();
    await db.write("test.days", async (tx) => {
      const rows = people.map((id) => ({ citizen_id: id, job, day, day_at: at - 9000, seconds: 100 * id }));
      await bulkInsert(tx, timeclockDays, rows);
      const sums = { people: null, seconds: null, told_at: null, closed_by: null, closed_at: null };
      const row = { job, first_day: day, last_day: day, from_at: at - 9000, until_at: at - 1000, state: "open" };
      await bulkInsert(tx, timeclockPeriods, [{ ...row, ...sums, version: 1, after_id: 0, created_at: at }]);
    });
    const [period] = await db.read("test.period", async (tx) => await periods.periodsOf(tx, job, null, 1));
    const viewer = () => ({ job, characterId: 9 });
    const call = { actor: { kind: "system", name: "test" }, viewer } as unknown as CallContext;
    return { closing, later, period: period!, enqueued, call };
  }

  const sums = async (id: number) =>
    await get().db.read("test.sums", async (tx) => {
      const rows = await queries<TimeclockTables>(tx)
        .selectFrom("timeclock_sums")
        .selectAll()
        .where("period_id", "=", id)
        .execute();
      return Object.fromEntries(rows.map((row) => [row.citizen_id, Number(row.seconds)]));
    });

  it("loses and doubles nobody, also when it is killed in the middle", async () => {
    const { db } = get();
    const { closing, period, enqueued, call } = await started();
    const { id } = period;
    expect(await closing.close(call, id, 1)).toMatchObject({ state: "closing", people: null });
    expect(enqueued).toEqual([`freeze ${id} 2`]);
    expect(await sums(id)).toEqual({ 1: 100, 2: 200 });
    const killed = db.write("test.killed", async (tx) => {
      await closing.freezeNext(tx, id);
      throw new Error("killed");
    });
    await expect(killed).rejects.toThrow("killed");
    expect(await sums(id)).toEqual({ 1: 100, 2: 200 });
    for (let n = 0; n < 4; n += 1) await db.write("test.freeze", async (tx) => await closing.freezeNext(tx, id));
    expect(await sums(id)).toEqual({ 1: 100, 2: 200, 3: 300, 4: 400, 5: 500 });
    const row = await db.read("test.closed", async (tx) => await periods.findPeriod(tx, id));
    expect(row).toMatchObject({ state: "closed", people: 5, seconds: 1500, version: 3 });
  });

  it("takes no more from anybody than was worked, and leaves the rest to the next period", async () => {
    const { db, clock } = get();
    const { closing, period, call } = await started();
    const { id } = period;
    await db.write("test.corrected", async (tx) => {
      const later = { period_id: 999, carried_id: null, job, why: "corrected", created_at: clock.now() };
      const taken = [
        { citizen_id: 1, seconds: -150 },
        { citizen_id: 1, seconds: -100 },
        { citizen_id: 2, seconds: -50 },
        { citizen_id: 5, seconds: 40 },
      ];
      await periods.insertLater(
        tx,
        taken.map((one, i) => ({ ...later, ...one, entry_id: i + 1 })),
      );
    });
    await closing.close(call, id, 1);
    for (let n = 0; n < 4; n += 1) await db.write("test.freeze", async (tx) => await closing.freezeNext(tx, id));
    const rows = await db.read("test.sums", async (tx) => await periods.sumsOf(tx, id, 0, 10));
    expect(rows.map((row) => [row.citizen_id, Number(row.seconds), Number(row.later_seconds)])).toEqual([
      [1, 100, -100],
      [2, 200, -50],
      [3, 300, 0],
      [4, 400, 0],
      [5, 500, 40],
    ]);
    const [row, carried, rest] = await db.read("test.closed", async (tx) => [
      await periods.findPeriod(tx, id),
      await periods.carriedInto(tx, id),
      await periods.laterOf(tx, id, null, 10),
    ]);
    expect(row).toMatchObject({ state: "closed", seconds: 1500 });
    expect(carried).toBe(-110);
    const shown = rest.map((one) => [one.citizen_id, one.seconds, one.why, one.carried_id]);
    expect(shown).toEqual([[1, -150, "rest", null]]);
  });

  it("leaves what nobody can take from those who do not work to a period in which they do", async () => {
    const { db, clock } = get();
    const { closing, period, call } = await started();
    const day2 = "2026-11-19";
    const next = await db.write("test.next", async (tx) => {
      const { id: _id, ...row } = period;
      await bulkInsert(tx, timeclockPeriods, [{ ...row, first_day: day2, last_day: day2 }]);
      const later = { period_id: 999, carried_id: null, job, why: "corrected", created_at: clock.now() };
      const owed = [
        { citizen_id: 6, seconds: -30 },
        { citizen_id: 6, seconds: -20 },
        // What was counted too little is paid, also to those who work no more.
        { citizen_id: 7, seconds: 60 },
        { citizen_id: 7, seconds: -10 },
      ];
      await periods.insertLater(
        tx,
        owed.map((one, i) => ({ ...later, ...one, entry_id: i + 1 })),
      );
      return (await periods.periodsOf(tx, job, null, 1))[0]!;
    });
    const closed = async (id: number) => {
      await closing.close(call, id, 1);
      for (let n = 0; n < 4; n += 1) await db.write("test.freeze", async (tx) => await closing.freezeNext(tx, id));
      return await db.read("test.closed", async (tx) => ({
        period: await periods.findPeriod(tx, id),
        sums: (await periods.sumsOf(tx, id, 5, 10)).map((row) => [row.citizen_id, row.seconds, row.later_seconds].map(Number)),
        rest: await periods.laterOf(tx, id, null, 10),
      }));
    };
    expect(await closed(period.id)).toMatchObject({ period: { people: 6, seconds: 1500 }, sums: [[7, 0, 50]], rest: [] });
    await db.write("test.back", async (tx) => {
      await changeDays(tx, [{ citizenId: 6, job, day: day2, dayAt: clock.now() - 9000, seconds: 80 }]);
    });
    expect(await closed(next.id)).toMatchObject({ period: { people: 1, seconds: 80 }, sums: [[6, 80, -50]], rest: [] });
  });

  it("has what is counted in between either in the sums or beside them, never in both", async () => {
    const { db, clock } = get();
    const { closing, later, period, call } = await started();
    const { id } = period;
    await closing.close(call, id, 1);
    await db.write("test.count", async (tx) => {
      const changes = [1, 5].map((citizenId) => ({ citizenId, job, day, dayAt: clock.now() - 9000, seconds: 7 }));
      await changeDays(tx, changes);
      const entries = changes.map((change) => ({ entryId: change.citizenId, days: [change] }));
      await later.note(tx, entries, "counted");
    });
    for (let n = 0; n < 3; n += 1) await db.write("test.freeze", async (tx) => await closing.freezeNext(tx, id));
    expect(await sums(id)).toEqual({ 1: 100, 2: 200, 3: 300, 4: 400, 5: 507 });
    const rows = await db.read("test.later", async (tx) => await periods.laterOf(tx, id, null, 10));
    expect(rows).toMatchObject([{ citizen_id: 1, seconds: 7, why: "counted", carried_id: null }]);
  });
});
