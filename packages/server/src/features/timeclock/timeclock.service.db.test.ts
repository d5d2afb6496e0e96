import fc from "fast-check";
import { CompiledQuery } from "kysely";
import { expect, it } from "vitest";
import { bulkInsert, queries } from "#core/db/index.ts";
import { Zone } from "#core/zone.ts";
import { dutyPeriods } from "#features/duty/duty.schema.ts";
import { describeDatabases } from "#testkit/database.ts";
import * as repo from "./timeclock.repo.ts";
import type { TimeclockTables } from "./timeclock.schema.ts";
import { AskingService } from "./timeclock.asking.service.ts";
import { TimeclockService } from "./timeclock.service.ts";

const zone = new Zone("Europe/Berlin");
const hour = 3_600_000;
/** Before the night of the change in October. */
const start = Date.parse("2026-10-23T10:00:00Z");

interface Step {
  readonly citizen: number;
  readonly gap: number;
  readonly length: number;
  readonly again: boolean;
}

const steps = fc.array(
  fc.record({
    citizen: fc.integer({ min: 1, max: 3 }),
    gap: fc.integer({ min: 0, max: 8 * hour }),
    length: fc.integer({ min: 0, max: 30 * hour }),
    again: fc.boolean(),
  }),
  { maxLength: 12 },
);

describeDatabases("days of the timeclock", (get) => {
  function parts(chunk = 500, inZone = zone) {
    const { db, clock } = get();
    const enqueued: string[] = [];
    const approvals = () => {
      throw new Error("nothing is proposed");
    };
    const asking = new AskingService({ clock, zone: inZone, approvals });
    const service = new TimeclockService({
      ...{ db, clock, zone: inZone, chunk, asking },
      outbox: { emit: async () => undefined },
      later: { note: async () => undefined },
      estimated: { notify: async () => undefined },
      tasks: {
        enqueue: async (_tx, _task, { key = "" }) => {
          enqueued.push(key);
          return "";
        },
      },
    });
    return { asking, service, enqueued };
  }

  const store = async (rows: readonly { citizen: number; from: number; to: number; job?: string }[]): Promise<number[]> =>
    await get().db.write("test.store", async (tx) => {
      await bulkInsert(
        tx,
        dutyPeriods,
        rows.map(({ citizen, from, to, job = "police" }) => ({
          ...{ citizen_id: citizen, job, grade: 1, from_at: from, to_at: to, started_by: "game", ending: "silence" },
          ...{ estimated: 1 as const, source: null, proposed: 0 as const },
        })),
      );
      const all = await queries<{ duty_periods: { id: number } }>(tx)
        .selectFrom("duty_periods")
        .select("id")
        .orderBy("id")
        .execute();
      return all.slice(-rows.length).map(({ id }) => id);
    });

  /** By a walk over the seconds of whole quarters, without the code that divides. */
  const expected = (entries: readonly repo.EntryRow[]) => {
    const days = new Map<string, number>();
    for (const { citizen_id, from_at, to_at, state } of entries) {
      if (state !== "counted") continue;
      let at = Math.floor(from_at / 1000) * 1000;
      const end = Math.floor(to_at / 1000) * 1000;
      while (at < end) {
        const next = Math.min(end, (Math.floor(at / 900_000) + 1) * 900_000);
        const key = `${citizen_id} ${zone.dayOf(at)}`;
        days.set(key, (days.get(key) ?? 0) + (next - at) / 1000);
        at = next;
      }
    }
    return Object.fromEntries([...days].toSorted());
  };

  const stored = async () =>
    await get().db.read("test.read", async (tx) => {
      const db = queries<TimeclockTables>(tx);
      const entries = await db.selectFrom("timeclock_entries").selectAll().orderBy("id").execute();
      const days = await db.selectFrom("timeclock_days").selectAll().where("seconds", "<>", 0).execute();
      const sums = days.map((row) => [`${row.citizen_id} ${row.day}`, row.seconds] as const);
      return { entries, days: Object.fromEntries(sums.toSorted()) };
    });

  /** Whether a transaction waits for a lock of another one. */
  const waits = async (): Promise<boolean> =>
    await get().db.read("test.waits", async (tx) => {
      const text = "select count(*) as n from information_schema.innodb_trx where trx_state = 'LOCK WAIT'";
      const { rows } = await queries(tx).executeQuery(CompiledQuery.raw(text));
      return Number((rows as { n: unknown }[])[0]!.n) > 0;
    });

  const run = async (all: readonly Step[], by: "events" | "fill") => {
    const { db } = get();
    await db.write("test.empty", async (tx) => {
      for (const table of ["timeclock_entries", "timeclock_days", "timeclock_fill", "duty_periods"])
        await queries<never>(tx)
          .deleteFrom(table as never)
          .execute();
      await queries<TimeclockTables>(tx).insertInto("timeclock_fill").values({ id: 1, after_id: 0, done_at: null }).execute();
    });
    const last = new Map<number, number>();
    const rows = all.map(({ citizen, gap, length }) => {
      const from = (last.get(citizen) ?? start) + gap;
      last.set(citizen, from + length);
      return { citizen, from, to: from + length };
    });
    const ids = rows.length === 0 ? [] : await store(rows);
    const { service } = parts(2);
    for (const [i, id] of ids.entries()) {
      if (by === "fill") break;
      const times = all[i]!.again ? 2 : 1;
      for (let n = 0; n < times; n += 1) await db.write("test.ended", async (tx) => await service.ended(tx, [id], rows[i]!.to));
    }
    // Also after the events: what they have counted is counted already.
    for (let n = 0; n <= ids.length / 2 + 1; n += 1) await db.write("test.fill", async (tx) => await service.fill(tx));
  };

  it("are the sums of entries, by events and by the task, however often they come", async () => {
    const property = fc.asyncProperty(steps, fc.constantFrom("events" as const, "fill" as const), async (all, by) => {
      await run(all, by);
      const { entries, days } = await stored();
      const whole = all.filter(({ length }) => length >= 1000).length;
      expect(entries.length).toBeGreaterThanOrEqual(whole);
      expect(days).toEqual(expected(entries));
    });
    await fc.assert(property, { numRuns: 25 });
  });

  it("follow an entry that changes", async () => {
    const { db } = get();
    await run([{ citizen: 1, gap: 12 * hour, length: 6 * hour, again: false }], "events");
    const [row] = (await stored()).entries;
    const { service } = parts();
    const after = { state: "counted", from: row!.from_at - 2 * hour, to: row!.to_at + 26 * hour } as const;
    await db.write("test.change", async (tx) => await service.change(tx, row!, after));
    const changed = await stored();
    expect(changed.entries).toMatchObject([{ from_at: after.from, to_at: after.to, estimated: 0, version: 2 }]);
    expect(changed.days).toEqual(expected(changed.entries));
    await db.write("test.reject", async (tx) => await service.change(tx, changed.entries[0]!, { ...after, state: "rejected" }));
    expect((await stored()).days).toEqual({});
  });

  it("are never less than nothing where the time zone of days was changed since they were counted", async () => {
    const { db } = get();
    await run([], "events");
    // 23:00 to 01:00 in Berlin, which is one day in UTC, and an hour two days later.
    const night = Date.parse("2026-10-20T21:00:00Z");
    const ids = await store([
      { citizen: 1, from: night, to: night + 2 * hour },
      { citizen: 1, from: night + 37 * hour, to: night + 38 * hour },
    ]);
    const before = parts(500, new Zone("UTC")).service;
    await db.write("test.counted", async (tx) => await before.ended(tx, ids, night + 38 * hour));
    const [row] = (await stored()).entries;
    const after = { state: "rejected", from: row!.from_at, to: row!.to_at } as const;
    const { service } = parts();
    await db.write("test.reject", async (tx) => await service.change(tx, row!, after));
    const { entries, days } = await stored();
    expect(days).toEqual(expected(entries));
    expect(days).toEqual({ "1 2026-10-22": 3600 });
  });

  it("count no time twice when two duties that overlap come at the same moment", async () => {
    const { db, kind } = get();
    await run([], "events");
    const [first, second] = await store([
      { citizen: 1, from: start, to: start + 2 * hour },
      { citizen: 1, from: start + hour, to: start + 3 * hour },
    ]);
    const { asking, service } = parts();
    // The other one is proposed; here nobody is asked.
    const asked: number[] = [];
    asking.ask = async (_tx, _actor, { id }) => void asked.push(id);
    const [locked, begun, waiting] = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const one = db.write("test.first", async (tx) => {
      await repo.lockPeople(tx, [1]);
      locked!.resolve();
      await waiting!.promise;
      await service.ended(tx, [first!], start + 3 * hour);
    });
    await locked!.promise;
    let isDone = false;
    const other = db.write("test.second", async (tx) => {
      begun!.resolve();
      // Its snapshot, where the isolation has one, is from before the first was counted.
      await repo.find(tx, 1);
      await service.ended(tx, [second!], start + 3 * hour);
      isDone = true;
    });
    // A single writer begins the second one only after the first.
    if (kind === "mariadb") {
      await begun!.promise;
      await expect.poll(async () => isDone || (await waits()), { timeout: 10_000 }).toBe(true);
    }
    waiting!.resolve();
    await Promise.all([one, other]);
    const { entries, days } = await stored();
    const states = new Map(entries.map(({ period_id, state }) => [period_id, state]));
    expect([states.get(first!), states.get(second!)]).toEqual(["counted", "proposed"]);
    expect(days).toEqual(expected(entries));
    expect(asked).toHaveLength(1);
  });

  it("need as many statements for many duties as for few, in parts that go on behind the last one", async () => {
    const { db, statements } = get();
    const { service, enqueued } = parts(3);
    await run([], "events");
    await db.write("test.reset", async (tx) => {
      await queries<TimeclockTables>(tx).updateTable("timeclock_fill").set({ done_at: null }).execute();
    });
    const rows = Array.from({ length: 40 }, (_none, i) => ({
      citizen: 1 + (i % 20),
      from: start + i * hour,
      to: start + i * hour + 900_000,
    }));
    const ids = await store(rows);
    const count = async (some: readonly number[]) =>
      await statements.during(async () => {
        await db.write("test.ended", async (tx) => await service.ended(tx, some, start));
      });
    expect(await count(ids.slice(0, 30))).toBe(await count(ids.slice(30, 32)));
    await db.write("test.fill", async (tx) => await service.fill(tx));
    expect(enqueued).toEqual([`fill ${ids[2]}`]);
  });
});
