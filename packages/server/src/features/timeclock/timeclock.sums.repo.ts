import { sql, type RawBuilder } from "kysely";
import { bulkInsert, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { heldGrades } from "#features/citizens/citizens.reads.ts";
import type { Range } from "./timeclock.policy.ts";
import { type Seeing, seenPeople } from "./timeclock.repo.ts";
import { timeclockMonths, type TimeclockTables, timeclockYears } from "./timeclock.schema.ts";
import {
  type DayChange,
  dayColumnsOf,
  endOfMonth,
  endOfYear,
  monthColumnsOf,
  monthOf,
  monthParts,
  planOf,
  type SumsPlan,
  toEndOfMonth,
} from "./timeclock.sums.policy.ts";

const db = (tx: Tx) => queries<TimeclockTables>(tx);
const some = (ids: readonly number[]) => (ids.length === 0 ? [0] : [...ids]);

/** Seconds of one day of a person in a job, or what is added to them. */
export type DaySeconds = Pick<DayChange, "citizenId" | "job" | "day" | "seconds">;

interface Sums {
  readonly citizenId: number;
  readonly job: string;
  /** A month or a year. */
  readonly of: string;
  readonly columns: Record<string, number>;
}

/** In the order of the primary key, in which all who write these rows lock them. */
function sumsOf(days: readonly DaySeconds[], place: (day: string) => { of: string; column: string }): Sums[] {
  const found = new Map<string, Sums>();
  for (const { citizenId, job, day, seconds } of days) {
    const { of, column } = place(day);
    const key = JSON.stringify([job, of, citizenId]);
    const sums = found.get(key) ?? { citizenId, job, of, columns: {} };
    sums.columns[column] = (sums.columns[column] ?? 0) + seconds;
    found.set(key, sums);
  }
  const order = (one: Sums) => `${one.job}\n${one.of}`;
  return [...found.values()].toSorted((a, b) =>
    order(a) === order(b) ? a.citizenId - b.citizenId : order(a) < order(b) ? -1 : 1,
  );
}

/** Every row has each column that one of them has. */
function rowsOf(sums: readonly Sums[], key: "month" | "year", endOf: (of: string) => number) {
  const columns = [...new Set(sums.flatMap((one) => Object.keys(one.columns)))];
  const rows = sums.map((one) => ({
    citizen_id: one.citizenId,
    job: one.job,
    [key]: one.of,
    ends_at: endOf(one.of),
    ...Object.fromEntries(columns.map((column) => [column, one.columns[column] ?? 0])),
  }));
  return { columns, rows };
}

/** Two statements, however many days. Days are those of `timeclock_days`, which change with them. */
export async function addToSums(tx: Tx, days: readonly DaySeconds[]): Promise<void> {
  const changed = days.filter(({ seconds }) => seconds !== 0);
  if (changed.length === 0) return;
  const inMonths = sumsOf(changed, (day) => ({ of: monthOf(day), column: `d${Number(day.slice(8))}` }));
  const inYears = sumsOf(changed, (day) => ({ of: day.slice(0, 4), column: `m${Number(day.slice(5, 7))}` }));
  const months = rowsOf(inMonths, "month", endOfMonth);
  const years = rowsOf(inYears, "year", endOfYear);
  const onConflict = { keys: ["job", "month", "citizen_id"], add: months.columns } as const;
  await bulkInsert(tx, timeclockMonths, months.rows as never, { onConflict: onConflict as never });
  const onYears = { keys: ["job", "year", "citizen_id"], add: years.columns } as const;
  await bulkInsert(tx, timeclockYears, years.rows as never, { onConflict: onYears as never });
}

/** The sums of these people in a job, from their days; for what changed more than single days. */
export async function rebuildSums(tx: Tx, job: string, citizenIds: readonly number[]): Promise<void> {
  for (const table of ["timeclock_months", "timeclock_years"] as const)
    await db(tx).deleteFrom(table).where("job", "=", job).where("citizen_id", "in", some(citizenIds)).execute();
  const rows = await db(tx)
    .selectFrom("timeclock_days")
    .select(["citizen_id", "day", "seconds"])
    .where("citizen_id", "in", some(citizenIds))
    .where("job", "=", job)
    .where("seconds", ">", 0)
    .where("former", "=", 0)
    .execute();
  await addToSums(
    tx,
    rows.map(({ citizen_id: citizenId, day, seconds }) => ({ citizenId, job, day, seconds: Number(seconds) })),
  );
}

const added = (table: string, columns: readonly string[]): RawBuilder<number> =>
  sql<number>`${sql.join(
    columns.map((column) => sql.ref(`${table}.${column}`)),
    sql` + `,
  )}`;

/** From which rows the sums of a range are read; most ranges end today, after which nobody has hours. */
export async function planFor(tx: Tx, job: string, range: Range): Promise<SumsPlan> {
  const last = db(tx).selectFrom("timeclock_days").select("day").where("job", "=", job).orderBy("day", "desc").limit(1);
  return planOf(toEndOfMonth(range, (await last.executeTakeFirst())?.day ?? null));
}

/** A row a person and part of the plan. */
function secondsByPart(job: string, { years, months }: SumsPlan): RawBuilder<unknown> {
  const parts = [
    ...years.map((part) => {
      const seconds = added("t", monthColumnsOf(part));
      return sql`select t.citizen_id, ${seconds} as seconds from timeclock_years t where t.job = ${job} and t.year = ${part.year}`;
    }),
    ...months.map((part) => {
      const seconds = added("t", dayColumnsOf(part));
      return sql`select t.citizen_id, ${seconds} as seconds from timeclock_months t where t.job = ${job} and t.month = ${part.month}`;
    }),
  ];
  return sql.join(parts, sql` union all `);
}

export interface PersonSum {
  readonly citizenId: number;
  readonly grade: number;
  readonly seconds: number;
}

/** The longest first. */
export async function sumsByPerson(tx: Tx, seeing: Seeing, plan: SumsPlan, limit: number): Promise<PersonSum[]> {
  const parts = secondsByPart(seeing.job, plan);
  const { rows } = await sql<{ citizen_id: number; grade: number; total: number }>`
    select d.citizen_id, held.grade, d.total
    from (select s.citizen_id, sum(s.seconds) as total from (${parts}) s group by s.citizen_id) d
    join (${heldGrades(tx)}) held on held.citizen_id = d.citizen_id
    where held.job = ${seeing.job} and d.total > 0 and ${seenPeople(tx, seeing, "d")}
    order by d.total desc, d.citizen_id limit ${limit}`.execute(queries(tx));
  return rows.map((row) => ({ citizenId: row.citizen_id, grade: row.grade, seconds: Number(row.total) }));
}

const dayOf = (month: string, day: number) => `${month}-${String(day).padStart(2, "0")}`;

/** What is read of the rows of one month, or of one year. */
interface SumsPart {
  readonly of: string;
  /** One sum each. */
  readonly sums: readonly RawBuilder<number>[];
}

/** The sums of each part over the people, in one statement: as many columns as the part with the most has. */
async function sumsOfParts(
  tx: Tx,
  seeing: Seeing,
  table: "months" | "years",
  parts: readonly SumsPart[],
): Promise<Map<string, readonly number[]>> {
  if (parts.length === 0) return new Map();
  const key = sql.ref(table === "months" ? "t.month" : "t.year");
  const count = Math.max(...parts.map(({ sums }) => sums.length));
  const selects = parts.map(({ of, sums }) => {
    const columns = Array.from({ length: count }, (_none, i) => {
      const column = sums[i];
      return column === undefined ? sql`0` : sql`sum(${column}) as ${sql.id(`s${i}`)}`;
    });
    return sql`
      select ${of} as part, ${sql.join(columns)} from ${sql.table(`timeclock_${table}`)} t
      join (${heldGrades(tx)}) held on held.citizen_id = t.citizen_id
      where t.job = ${seeing.job} and held.job = ${seeing.job} and ${key} = ${of} and ${seenPeople(tx, seeing, "t")}`;
  });
  const { rows } = await sql<Record<string, number | string | null>>`${sql.join(selects, sql` union all `)}`.execute(queries(tx));
  return new Map(
    rows.map((row) => [String(row["part"]), Array.from({ length: count }, (_none, i) => Number(row[`s${i}`] ?? 0))]),
  );
}

const each = (columns: readonly string[]) => columns.map((column) => sql<number>`${sql.ref(`t.${column}`)}`);

/** Of all of them together, in order; days without hours are left out. */
export async function sumsByDay(tx: Tx, seeing: Seeing, range: Range): Promise<{ day: string; seconds: number }[]> {
  // The part with the most days names the columns of all.
  const parts = monthParts(range).toSorted((a, b) => dayColumnsOf(b).length - dayColumnsOf(a).length);
  const found = await sumsOfParts(
    tx,
    seeing,
    "months",
    parts.map((part) => ({ of: part.month, sums: each(dayColumnsOf(part)) })),
  );
  return monthParts(range)
    .flatMap((part) =>
      dayColumnsOf(part).map((_column, i) => ({
        day: dayOf(part.month, part.from + i),
        seconds: found.get(part.month)?.[i] ?? 0,
      })),
    )
    .filter(({ seconds }) => seconds > 0);
}

/** The same by month: `YYYY-MM`. */
export async function sumsByMonth(
  tx: Tx,
  seeing: Seeing,
  { years, months }: SumsPlan,
): Promise<{ month: string; seconds: number }[]> {
  const inYears = years.map((part) => ({ of: part.year, sums: each(monthColumnsOf(part)) }));
  const whole = await sumsOfParts(
    tx,
    seeing,
    "years",
    inYears.toSorted((a, b) => b.sums.length - a.sums.length),
  );
  const edges = await sumsOfParts(
    tx,
    seeing,
    "months",
    months.map((part) => ({ of: part.month, sums: [added("t", dayColumnsOf(part))] })),
  );
  const inYear = years.flatMap((part) =>
    monthColumnsOf(part).map((column, i) => ({
      month: `${part.year}-${column.slice(1).padStart(2, "0")}`,
      seconds: whole.get(part.year)?.[i] ?? 0,
    })),
  );
  const atEdges = months.map(({ month }) => ({ month, seconds: edges.get(month)?.[0] ?? 0 }));
  return [...inYear, ...atEdges].filter(({ seconds }) => seconds > 0).toSorted((a, b) => (a.month < b.month ? -1 : 1));
}

export const removeMonths = pruneOlder(timeclockMonths, "ends_at");
export const removeYears = pruneOlder(timeclockYears, "ends_at");
