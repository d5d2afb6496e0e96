import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { bulkInsert, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { addDays } from "#core/zone.ts";
import { citizensJobs } from "#features/citizens/citizens.schema.ts";
import { describeDatabases, type TestDatabase } from "#testkit/database.ts";
import { changeDays, makeFormer } from "./timeclock.days.repo.ts";
import type { Range } from "./timeclock.policy.ts";
import type { Seeing } from "./timeclock.repo.ts";
import type { TimeclockTables } from "./timeclock.schema.ts";
import { monthOf } from "./timeclock.sums.policy.ts";
import { planFor, sumsByDay, sumsByMonth, sumsByPerson } from "./timeclock.sums.repo.ts";

const people = [1, 2, 3, 4, 5, 6];
const start = "2025-11-20";
const length = 430;
const gradeOf = (id: number) => id % 3;

interface Change {
  readonly who: number;
  readonly after: number;
  readonly seconds: number;
}

const change = fc.record({
  who: fc.constantFrom(...people),
  after: fc.nat(length - 1),
  seconds: fc.integer({ min: -5_000, max: 20_000 }),
});
const range = fc.record({ after: fc.nat(length - 1), days: fc.nat(365) }).map(({ after, days }): Range => {
  return { firstDay: addDays(start, after), lastDay: addDays(start, after + days) };
});

const total = (rows: readonly { readonly seconds: number }[]) => rows.reduce((sum, { seconds }) => sum + seconds, 0);

describeDatabases("sums over many people", (get) => {
  const newJob = async ({ db }: TestDatabase) => {
    const job = `sums${randomBytes(4).toString("hex")}`;
    await db.write("test.people", async (tx) => {
      const rows = people.map((id) => ({ citizen_id: id, job, grade: gradeOf(id), is_primary: 0, off_duty: 0 }) as const);
      await bulkInsert(tx, citizensJobs, rows);
    });
    return job;
  };

  /** No day ends below nothing, because entries have no negative length. */
  const write = async ({ db }: TestDatabase, job: string, changes: readonly Change[]) => {
    const sums = new Map<string, number>();
    for (const { who, after, seconds } of changes) {
      const key = `${who} ${after}`;
      const before = sums.get(key) ?? 0;
      const added = Math.max(-before, seconds);
      sums.set(key, before + added);
      const day = addDays(start, after);
      const part = { citizenId: who, job, day, dayAt: Date.parse(day), seconds: added };
      await db.write("test.change", async (tx) => await changeDays(tx, [part]));
    }
  };

  const daysOf = async (tx: Tx, job: string, { firstDay, lastDay }: Range, seen: (id: number) => boolean) => {
    const rows = await queries<TimeclockTables>(tx)
      .selectFrom("timeclock_days")
      .selectAll()
      .where("job", "=", job)
      .where("former", "=", 0)
      .where("day", ">=", firstDay)
      .where("day", "<=", lastDay)
      .execute();
    return rows.map((row) => ({ ...row, seconds: Number(row.seconds) })).filter((row) => row.seconds > 0 && seen(row.citizen_id));
  };

  const grouped = <R extends { readonly seconds: number }, K>(rows: readonly R[], key: (row: R) => K) =>
    new Map([...Map.groupBy(rows, key)].map(([of, own]) => [of, total(own)]));

  const compare = async ({ db }: TestDatabase, job: string, between: Range) => {
    await db.read("test.compare", async (tx) => {
      const seeing: Seeing = { job, characterId: 1, reach: { any: false, own: true, upTo: 1 } };
      const days = await daysOf(tx, job, between, (id) => id === 1 || gradeOf(id) <= 1);
      const byPerson = await sumsByPerson(tx, seeing, await planFor(tx, job, between), 100);
      expect(new Map(byPerson.map((one) => [one.citizenId, one.seconds]))).toEqual(grouped(days, (row) => row.citizen_id));
      const byDay = await sumsByDay(tx, seeing, between);
      expect(new Map(byDay.map((one) => [one.day, one.seconds]))).toEqual(grouped(days, (row) => row.day));
      const byMonth = await sumsByMonth(tx, seeing, await planFor(tx, job, between));
      expect(new Map(byMonth.map((one) => [one.month, one.seconds]))).toEqual(grouped(days, (row) => monthOf(row.day)));
    });
  };

  it("are those of the days, whatever changed and whatever is asked for", { timeout: 60_000 }, async () => {
    const property = fc.asyncProperty(
      fc.array(change, { maxLength: 40 }),
      fc.array(range, { minLength: 3, maxLength: 3 }),
      async (changes, ranges) => {
        const job = await newJob(get());
        await write(get(), job, changes);
        for (const between of ranges) await compare(get(), job, between);
      },
    );
    await fc.assert(property, { numRuns: 12 });
  });

  it("leave out what is history of the job, and keep what came after it", async () => {
    const job = await newJob(get());
    await write(get(), job, [
      { who: 1, after: 5, seconds: 100 },
      { who: 1, after: 40, seconds: 200 },
      { who: 1, after: 45, seconds: 300 },
      { who: 3, after: 5, seconds: 400 },
    ]);
    const day = addDays(start, 42);
    await get().db.write("test.former", async (tx) => await makeFormer(tx, job, [1], { day, at: Date.parse(day) }));
    const year = { firstDay: start, lastDay: addDays(start, 365) };
    await compare(get(), job, year);
    const seeing: Seeing = { job, characterId: 9, reach: { any: true, own: true, upTo: null } };
    const found = await get().db.read(
      "test.sums",
      async (tx) => await sumsByPerson(tx, seeing, await planFor(tx, job, year), 10),
    );
    expect(found.map((one) => [one.citizenId, one.seconds])).toEqual([
      [3, 400],
      [1, 300],
    ]);
  });
});
