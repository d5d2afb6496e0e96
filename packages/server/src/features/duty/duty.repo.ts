import { sql, type Insertable, type Selectable } from "kysely";
import { bulkInsert, dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { DutyEnding } from "./duty.contract.ts";
import type { Duty, Person, Source } from "./duty.policy.ts";
import { dutyPeople, dutyPeriods, dutyReports, dutySources, type DutyTables } from "./duty.schema.ts";

type PersonRow = Selectable<DutyTables["duty_people"]>;
type SourceRow = Selectable<DutyTables["duty_sources"]>;
export type RulesRow = Selectable<DutyTables["duty_jobs"]>;

/** A person with what is stored beside the duty. */
export interface StoredPerson extends Person {
  readonly citizenId: number;
  readonly licence: string;
  /** 0 for a person who is not stored yet. */
  readonly version: number;
}

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);

const db = (tx: Tx) => queries<DutyTables>(tx);

function dutyOf(row: PersonRow): Duty | null {
  if (row.job === null) return null;
  const { job, grade, since, source, boot_count: bootCount, missing_at: missingAt } = row;
  return { job, grade, since, by: row.started_by as Duty["by"], source, bootCount, missingAt };
}

const personOf = (row: PersonRow): StoredPerson => ({
  citizenId: row.citizen_id,
  licence: row.licence,
  version: row.version,
  duty: dutyOf(row),
  seenAt: row.seen_at,
  endedAt: row.ended_at,
  appliedAt: row.applied_at,
});

/** Stored people by id; locked, in the order of their ids, when the unit of work can write. */
export async function peopleOf(tx: Tx, ids: readonly number[]): Promise<StoredPerson[]> {
  if (ids.length === 0) return [];
  const select = db(tx).selectFrom("duty_people").selectAll().where("citizen_id", "in", ids).orderBy("citizen_id");
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).execute()).map(personOf);
}

/** Ids of people on duty whose characters have one of these game licences. */
export async function onDutyOfLicences(tx: Tx, licences: readonly string[]): Promise<number[]> {
  if (licences.length === 0) return [];
  const rows = await db(tx)
    .selectFrom("duty_people")
    .select("citizen_id")
    .where("licence", "in", licences)
    .where("job", "is not", null)
    .execute();
  return rows.map(({ citizen_id }) => citizen_id);
}

/** Ids of people on duty by this source. */
export async function onDutyOfSource(tx: Tx, source: string): Promise<number[]> {
  const rows = await db(tx)
    .selectFrom("duty_people")
    .select("citizen_id")
    .where("source", "=", source)
    .where("job", "is not", null)
    .where("started_by", "=", "game")
    .orderBy("citizen_id")
    .execute();
  return rows.map(({ citizen_id }) => citizen_id);
}

/** People on duty in these jobs; null for any job. */
export async function onDutyIn(tx: Tx, jobs: readonly string[] | null, limit: number): Promise<StoredPerson[]> {
  if (jobs !== null && jobs.length === 0) return [];
  let select = db(tx).selectFrom("duty_people").selectAll();
  select = jobs === null ? select.where("job", "is not", null) : select.where("job", "in", jobs);
  return (await select.orderBy("grade", "desc").orderBy("citizen_id").limit(limit).execute()).map(personOf);
}

export async function savePeople(tx: Tx, people: readonly StoredPerson[]): Promise<void> {
  const rows = people.map(({ citizenId, licence, version, duty, seenAt, endedAt, appliedAt }) => ({
    citizen_id: citizenId,
    licence,
    job: duty?.job ?? null,
    grade: duty?.grade ?? 0,
    since: duty?.since ?? 0,
    started_by: duty?.by ?? "game",
    source: duty?.source ?? null,
    boot_count: duty?.bootCount ?? 0,
    seen_at: seenAt,
    missing_at: duty?.missingAt ?? null,
    ended_at: endedAt,
    applied_at: appliedAt,
    version,
  }));
  const { citizen_id: _key, ...columns } = dutyPeople.columns;
  const update = Object.keys(columns) as (keyof typeof columns)[];
  await bulkInsert(tx, dutyPeople, rows, { onConflict: { keys: ["citizen_id"], update } });
}

/** Of people on duty alone; an older instant changes nothing. One statement. */
export async function saveSigns(tx: Tx, signs: ReadonlyMap<number, number>): Promise<void> {
  if (signs.size === 0) return;
  const cases = sql.join(
    [...signs].map(([id, at]) => sql`when ${id} then ${at}`),
    sql` `,
  );
  const at = sql<number>`case citizen_id ${cases} end`;
  await db(tx)
    .updateTable("duty_people")
    .set({ seen_at: sql<number>`case when seen_at < ${at} then ${at} else seen_at end` })
    .where("citizen_id", "in", [...signs.keys()])
    .where("job", "is not", null)
    .execute();
}

const sourceOf = (row: SourceRow): Source => ({
  sendsEvents: row.sends_events === 1,
  boot: row.boot,
  bootCount: row.boot_count,
  bootSince: row.boot_since,
  lastCallAt: row.last_call_at,
  silentFrom: row.silent_from,
});

/** Locked when the unit of work can write. */
export async function findSource(tx: Tx, source: string): Promise<Source | null> {
  const select = db(tx).selectFrom("duty_sources").selectAll().where("source", "=", source);
  const row = await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst();
  return row ? sourceOf(row) : null;
}

export async function listSources(tx: Tx): Promise<Map<string, Source>> {
  const rows = await db(tx).selectFrom("duty_sources").selectAll().orderBy("source").execute();
  return new Map(rows.map((row) => [row.source, sourceOf(row)]));
}

export async function saveSource(tx: Tx, source: string, value: Source): Promise<void> {
  const row = {
    source,
    sends_events: flag(value.sendsEvents),
    boot: value.boot,
    boot_count: value.bootCount,
    boot_since: value.bootSince,
    last_call_at: value.lastCallAt,
    silent_from: value.silentFrom,
  };
  const update = ["sends_events", "boot", "boot_count", "boot_since", "last_call_at", "silent_from"] as const;
  await bulkInsert(tx, dutySources, [row], { onConflict: { keys: ["source"], update } });
}

/** Of these events of a source, the keys of those that were reported before. */
export async function reportedKeys(tx: Tx, source: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db(tx)
    .selectFrom("duty_reports")
    .select("event_key")
    .where("source", "=", source)
    .where("event_key", "in", keys)
    .execute();
  return new Set(rows.map(({ event_key }) => event_key));
}

export async function insertReports(tx: Tx, rows: readonly Insertable<DutyTables["duty_reports"]>[]): Promise<void> {
  await bulkInsert(tx, dutyReports, rows);
}

export interface NewPeriod {
  readonly citizenId: number;
  readonly job: string;
  readonly grade: number;
  readonly from: number;
  readonly to: number;
  readonly by: Duty["by"];
  readonly ending: DutyEnding;
  readonly estimated: boolean;
  readonly source: string | null;
  readonly proposed: boolean;
}

/** Returns their ids. */
export async function insertPeriods(tx: Tx, periods: readonly NewPeriod[]): Promise<number[]> {
  const ids: number[] = [];
  for (const one of periods) {
    const row = {
      citizen_id: one.citizenId,
      job: one.job,
      grade: one.grade,
      from_at: one.from,
      to_at: one.to,
      started_by: one.by,
      ending: one.ending,
      estimated: flag(one.estimated),
      source: one.source,
      proposed: flag(one.proposed),
    };
    const { insertId } = await db(tx).insertInto("duty_periods").values(row).executeTakeFirstOrThrow();
    ids.push(Number(insertId));
  }
  return ids;
}

/** Locked when the unit of work can write. */
export async function rulesOf(tx: Tx, jobs: readonly string[]): Promise<Map<string, RulesRow>> {
  if (jobs.length === 0) return new Map();
  const select = db(tx).selectFrom("duty_jobs").selectAll().where("job", "in", jobs).orderBy("job");
  const rows = await (tx.writable ? dialectOf(tx).lock(select) : select).execute();
  return new Map(rows.map((row) => [row.job, row]));
}

/** Where a job has none yet. */
export async function ensureRules(tx: Tx, row: RulesRow): Promise<void> {
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("duty_jobs").values(row)).execute();
}

export async function saveRules(tx: Tx, row: RulesRow): Promise<void> {
  const insertion = db(tx).insertInto("duty_jobs").values(row);
  await dialectOf(tx).upsert(insertion, ["job"], ["by_hand", "game_since", "version", "updated_at"]).execute();
}

export const pruneReports = pruneOlder(dutyReports, "received_at");

export const prunePeriods = pruneOlder(dutyPeriods, "to_at");

/** What is stored of citizens who were removed for good. */
export async function forgetCitizens(tx: Tx, ids: readonly number[]): Promise<void> {
  for (const table of ["duty_people", "duty_reports", "duty_periods"] as const)
    await db(tx).deleteFrom(table).where("citizen_id", "in", ids).execute();
}
