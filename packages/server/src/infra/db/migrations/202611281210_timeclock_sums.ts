import { col, defineTable, migration, queries, sql } from "./kit.ts";

const names = (letter: "d" | "m", count: number) => Array.from({ length: count }, (_none, i) => `${letter}${i + 1}`);
const secondsIn = (columns: readonly string[]) => Object.fromEntries(columns.map((name) => [name, col.int().defaultsTo(0)]));
const dayColumns = names("d", 31);
const monthColumns = names("m", 12);

const timeclockMonths = defineTable(
  "timeclock_months",
  { citizen_id: col.int(), job: col.key(50), month: col.key(7), ends_at: col.int(), ...secondsIn(dayColumns) },
  {
    primary: ["job", "month", "citizen_id"],
    indexes: { timeclock_months_citizen: ["citizen_id", "job"], timeclock_months_ends: ["ends_at"] },
  },
);

const timeclockYears = defineTable(
  "timeclock_years",
  { citizen_id: col.int(), job: col.key(50), year: col.key(4), ends_at: col.int(), ...secondsIn(monthColumns) },
  {
    primary: ["job", "year", "citizen_id"],
    indexes: { timeclock_years_citizen: ["citizen_id", "job"], timeclock_years_ends: ["ends_at"] },
  },
);

/** The seconds of the days whose characters from `from` are a number: 1 for the first column. */
const sums = (columns: readonly string[], from: number) =>
  sql.join(
    columns.map((_name, i) => {
      const number = String(i + 1).padStart(2, "0");
      return sql`sum(case when substr(day, ${from}, 2) = ${number} then seconds else 0 end)`;
    }),
  );

const ids = (columns: readonly string[]) => sql.join(columns.map((name) => sql.id(name)));

export default migration(async (steps) => {
  for (const table of [timeclockMonths, timeclockYears]) await steps.createTable(table);
  await steps.runData("months", async (tx) => {
    const { rows } = await sql<{ month: string }>`select distinct substr(day, 1, 7) as month from timeclock_days`.execute(
      queries(tx),
    );
    for (const { month } of rows) {
      const [year = 0, number = 1] = month.split("-").map(Number);
      await sql`insert into timeclock_months (citizen_id, job, month, ends_at, ${ids(dayColumns)})
        select citizen_id, job, ${month}, ${Date.UTC(year, number, 1)}, ${sums(dayColumns, 9)} from timeclock_days
        where day >= ${`${month}-01`} and day <= ${`${month}-31`} and seconds > 0 and former = 0
        group by citizen_id, job`.execute(queries(tx));
    }
  });
  await steps.runData("years", async (tx) => {
    const { rows } = await sql<{ year: string }>`select distinct substr(day, 1, 4) as year from timeclock_days`.execute(
      queries(tx),
    );
    for (const { year } of rows)
      await sql`insert into timeclock_years (citizen_id, job, year, ends_at, ${ids(monthColumns)})
        select citizen_id, job, ${year}, ${Date.UTC(Number(year) + 1, 0, 1)}, ${sums(monthColumns, 6)} from timeclock_days
        where day >= ${`${year}-01-01`} and day <= ${`${year}-12-31`} and seconds > 0 and former = 0
        group by citizen_id, job`.execute(queries(tx));
  });
});
