import { sql, type Insertable, type Selectable } from "kysely";
import { bulkInsert, dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { DutyEnding } from "./duty.contract.ts";
import type { Duty, Person } from "./duty.policy.ts";
import { dutyMismatches, dutyPeople, dutyPeriods, dutyReports, dutySources, type DutyTables } from "./duty.schema.ts";
import { type EarlierBoot, neverCalled, type Source } from "./duty.sources.policy.ts";

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
  const { job, grade, start_grade: startGrade, since, source, boot_count: bootCount } = row;
  const { missing_at: missingAt, unnamed_since: unnamedSince } = row;
  const duty = { job, grade, startGrade, since, bootCount, missingAt, unnamedSince };
  return row.started_by === "hand" || source === null ? { ...duty, by: "hand", source: null } : { ...duty, by: "game", source };
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

const selectPeople = (tx: Tx, ids: readonly number[]) =>
  db(tx).selectFrom("duty_people").selectAll().where("citizen_id", "in", ids).orderBy("citizen_id");

/** Stored people by id, without a lock. */
export async function readPeople(tx: Tx, ids: readonly number[]): Promise<StoredPerson[]> {
  if (ids.length === 0) return [];
  return (await selectPeople(tx, ids).execute()).map(personOf);
}

/** Stored people by id, locked in the order of their ids. */
export async function lockPeople(tx: Tx, ids: readonly number[]): Promise<StoredPerson[]> {
  if (ids.length === 0) return [];
  return (await dialectOf(tx).lock(selectPeople(tx, ids)).execute()).map(personOf);
}

/** Rows for those who have none, off duty. Locks all of them, in the order given: rows of others may come meanwhile. */
export async function ensurePeople(tx: Tx, people: readonly Pick<StoredPerson, "citizenId" | "licence">[]): Promise<void> {
  const nothing = { version: 0, duty: null, seenAt: 0, endedAt: 0, appliedAt: 0 };
  const rows = people.map((one) => rowOf({ ...one, ...nothing }));
  await bulkInsert(tx, dutyPeople, rows, { onConflict: { keys: ["citizen_id"], update: [] } });
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

function rowOf({ citizenId, licence, version, duty, seenAt, endedAt, appliedAt }: StoredPerson): PersonRow {
  return {
    citizen_id: citizenId,
    licence,
    job: duty?.job ?? null,
    grade: duty?.grade ?? 0,
    start_grade: duty?.startGrade ?? 0,
    since: duty?.since ?? 0,
    started_by: duty?.by ?? "game",
    source: duty?.source ?? null,
    boot_count: duty?.bootCount ?? 0,
    seen_at: seenAt,
    missing_at: duty?.missingAt ?? null,
    unnamed_since: duty?.unnamedSince ?? null,
    ended_at: endedAt,
    applied_at: appliedAt,
    version,
  };
}

export async function savePeople(tx: Tx, people: readonly StoredPerson[]): Promise<void> {
  const rows = people.map(rowOf);
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
  const update = dialectOf(tx).byPrimaryKey(db(tx).updateTable("duty_people"), "duty_people");
  await update
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
  bootFrom: row.boot_from,
  earlier: JSON.parse(row.earlier_boots) as EarlierBoot[],
  lastCallAt: row.last_call_at,
  silentFrom: row.silent_from,
  behindMs: row.behind_ms,
});

const selectSource = (tx: Tx, source: string) => db(tx).selectFrom("duty_sources").selectAll().where("source", "=", source);

/** Without a lock. */
export async function readSource(tx: Tx, source: string): Promise<Source | null> {
  const row = await selectSource(tx, source).executeTakeFirst();
  return row ? sourceOf(row) : null;
}

/** Those of these sources that are stored, without a lock. */
export async function readSources(tx: Tx, names: readonly string[]): Promise<Map<string, Source>> {
  if (names.length === 0) return new Map();
  const rows = await db(tx).selectFrom("duty_sources").selectAll().where("source", "in", names).execute();
  return new Map(rows.map((row) => [row.source, sourceOf(row)]));
}

/** The sources that report these people. Not all that are stored: any caller of the Sync API may name more. */
export async function sourcesOf(tx: Tx, people: readonly Person[]): Promise<Map<string, Source>> {
  return await readSources(tx, [...new Set(people.flatMap(({ duty }) => duty?.source ?? []))]);
}

export async function lockSource(tx: Tx, source: string): Promise<Source | null> {
  const row = await dialectOf(tx).lock(selectSource(tx, source)).executeTakeFirst();
  return row ? sourceOf(row) : null;
}

/** With a row of its own where it has none yet: two first calls at once would both find nothing to lock. */
export async function takeSource(tx: Tx, source: string): Promise<Source> {
  const found = await lockSource(tx, source);
  if (found !== null) return found;
  const row = sourceRow(source, neverCalled);
  await bulkInsert(tx, dutySources, [row], { onConflict: { keys: ["source"], update: [] } });
  return (await lockSource(tx, source)) ?? neverCalled;
}

export async function listSources(tx: Tx): Promise<Map<string, Source>> {
  const rows = await db(tx).selectFrom("duty_sources").selectAll().orderBy("source").execute();
  return new Map(rows.map((row) => [row.source, sourceOf(row)]));
}

const sourceRow = (source: string, value: Source): SourceRow => ({
  source,
  sends_events: flag(value.sendsEvents),
  boot: value.boot,
  boot_count: value.bootCount,
  boot_since: value.bootSince,
  boot_from: value.bootFrom,
  earlier_boots: JSON.stringify(value.earlier),
  last_call_at: value.lastCallAt,
  silent_from: value.silentFrom,
  behind_ms: value.behindMs,
});

export async function saveSource(tx: Tx, source: string, value: Source): Promise<void> {
  const { source: _key, ...columns } = sourceRow(source, value);
  await db(tx).updateTable("duty_sources").set(columns).where("source", "=", source).execute();
}

/** Jobs whose members do not go on duty by hand because a game server reported duty once. */
export async function jobsThatWaitForTheGame(tx: Tx): Promise<string[]> {
  const waiting = db(tx)
    .selectFrom("duty_jobs")
    .select("job")
    .where("by_hand", "=", "untilSource")
    .where("game_since", "is not", null);
  return (await waiting.orderBy("job").execute()).map(({ job }) => job);
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

export type NewReport = Insertable<DutyTables["duty_reports"]>;

export async function insertReports(tx: Tx, rows: readonly NewReport[]): Promise<void> {
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

export async function insertPeriods(tx: Tx, periods: readonly NewPeriod[]): Promise<void> {
  const rows = periods.map((one) => ({
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
  }));
  await bulkInsert(tx, dutyPeriods, rows);
}

/** Ids of periods that this unit of work has inserted; read, because not every database returns those of several rows. */
export async function idsOfPeriods(tx: Tx, periods: readonly NewPeriod[]): Promise<number[]> {
  if (periods.length === 0) return [];
  const rows = await db(tx)
    .selectFrom("duty_periods")
    .select(["id", "citizen_id", "job", "from_at", "to_at"])
    .where("citizen_id", "in", [...new Set(periods.map(({ citizenId }) => citizenId))])
    .where("from_at", "in", [...new Set(periods.map(({ from }) => from))])
    .orderBy("id")
    .execute();
  const found = Map.groupBy(rows, (row) => JSON.stringify([row.citizen_id, row.job, row.from_at, row.to_at]));
  // From the end: an older one may be the same, when a duty ended where it began.
  const ids = periods.toReversed().map(({ citizenId, job, from, to }) => {
    return found.get(JSON.stringify([citizenId, job, from, to]))!.pop()!.id;
  });
  return ids.reverse();
}

/** Without a lock. */
export async function rulesOf(tx: Tx, jobs: readonly string[]): Promise<Map<string, RulesRow>> {
  if (jobs.length === 0) return new Map();
  const rows = await db(tx).selectFrom("duty_jobs").selectAll().where("job", "in", jobs).execute();
  return new Map(rows.map((row) => [row.job, row]));
}

/** The rules of a job that has some, locked until the unit of work ends. */
export async function lockRules(tx: Tx, job: string): Promise<void> {
  await dialectOf(tx)
    .lock(db(tx).selectFrom("duty_jobs").select("job").where("job", "=", job))
    .execute();
}

/** Where a job has none yet. */
export async function ensureRules(tx: Tx, row: RulesRow): Promise<void> {
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("duty_jobs").values(row)).execute();
}

export async function saveRules(tx: Tx, row: RulesRow): Promise<void> {
  const insertion = db(tx).insertInto("duty_jobs").values(row);
  await dialectOf(tx).upsert(insertion, ["job"], ["by_hand", "game_since", "version", "updated_at"]).execute();
}

export interface StoredMismatch {
  readonly citizenId: number;
  readonly source: string;
  readonly named: string;
  readonly duty: string | null;
  readonly at: number;
}

export async function saveMismatches(tx: Tx, mismatches: readonly StoredMismatch[]): Promise<void> {
  const rows = mismatches.map(({ citizenId, ...row }) => ({ citizen_id: citizenId, ...row }));
  await bulkInsert(tx, dutyMismatches, rows, { onConflict: { keys: ["citizen_id"], update: ["source", "named", "duty", "at"] } });
}

/** The latest first. */
export async function mismatchesSince(tx: Tx, since: number, limit: number): Promise<StoredMismatch[]> {
  const rows = await db(tx)
    .selectFrom("duty_mismatches")
    .selectAll()
    .where("at", ">=", since)
    .orderBy("at", "desc")
    .orderBy("citizen_id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ citizen_id: citizenId, ...row }) => ({ citizenId, ...row }));
}

/** Those that nobody is on duty by: without its source a duty would not end. Locked, so that none calls meanwhile. */
export async function pruneSources(tx: Tx, before: number, limit: number): Promise<number> {
  const old = db(tx)
    .selectFrom("duty_sources")
    .select("source")
    .where("last_call_at", "<", before)
    .where((e) => {
      const onDutyBy = e.selectFrom("duty_people").select("citizen_id").where("job", "is not", null);
      return e.not(e.exists(onDutyBy.whereRef("duty_people.source", "=", "duty_sources.source")));
    })
    .orderBy("last_call_at")
    .limit(limit);
  const names = (await dialectOf(tx).lock(old).execute()).map(({ source }) => source);
  if (names.length > 0) await db(tx).deleteFrom("duty_sources").where("source", "in", names).execute();
  return names.length;
}

export const pruneMismatches = pruneOlder(dutyMismatches, "at");

export const pruneReports = pruneOlder(dutyReports, "received_at");

export const prunePeriods = pruneOlder(dutyPeriods, "to_at");

/** What is stored of citizens who were removed for good. */
export async function purgeCitizens(tx: Tx, ids: readonly number[]): Promise<void> {
  for (const table of ["duty_people", "duty_reports", "duty_periods", "duty_mismatches"] as const)
    await db(tx).deleteFrom(table).where("citizen_id", "in", ids).execute();
}
