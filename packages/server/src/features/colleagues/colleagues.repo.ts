import { type Selectable, sql, type Updateable } from "kysely";
import { bulkInsert, dialectOf, type Ordered, type Position, queries, reached, readOrdered } from "#core/db/index.ts";
import type { SearchVisibility, Tx } from "#core/ports/index.ts";
import type { Reach } from "#core/rank.ts";
import { rankKey, type StoredColleague } from "./colleagues.follow.policy.ts";
import { colleagues, type ColleagueTables } from "./colleagues.schema.ts";

export type WholeRow = Selectable<ColleagueTables["colleagues"]>;
/** Without the note, which not every reader of a list may know. */
export type PersonRow = Omit<WholeRow, "note">;

/** Whom a viewer's right reaches. */
export interface Reader {
  readonly characterId: number;
  readonly reach: Reach;
}

export interface PeopleFilter {
  readonly job: string;
  /** Only these rows. */
  readonly ids?: readonly number[];
  readonly citizenIds?: readonly number[];
  readonly notCitizenIds?: readonly number[];
  readonly fromGrade?: number;
  readonly belowGrade?: number;
  /** Those who have all of these, of whom the reader sees it. */
  readonly labels?: { readonly ids: readonly number[]; readonly now: number; readonly by: Reader };
}

const shown = [
  "id",
  "citizen_id",
  "job",
  "grade",
  "name_key",
  "rank_key",
  "since",
  "left_at",
  "name_prefix",
  "name_suffix",
  "version",
] as const;

const db = (tx: Tx) => queries<ColleagueTables>(tx);
const some = <T>(all: readonly T[], nothing: T) => (all.length === 0 ? [nothing] : [...all]);

/** Labels that are neither deleted nor over, with who has them. */
export const heldLabels = (tx: Tx, now: number) =>
  db(tx)
    .selectFrom("colleagues_given as g")
    .innerJoin("colleagues_labels as l", "l.id", "g.label_id")
    .where("l.deleted_at", "is", null)
    .where((e) => e.or([e("g.ends_at", "is", null), e("g.ends_at", ">", now)]));

function filtered(tx: Tx, { job, ids, citizenIds, notCitizenIds, fromGrade, belowGrade, labels }: PeopleFilter) {
  let query = db(tx).selectFrom("colleagues").where("colleagues.job", "=", job).where("colleagues.left_at", "is", null);
  if (ids !== undefined) query = query.where("colleagues.id", "in", some(ids, 0));
  if (citizenIds !== undefined) query = query.where("colleagues.citizen_id", "in", some(citizenIds, 0));
  if (notCitizenIds !== undefined && notCitizenIds.length > 0)
    query = query.where("colleagues.citizen_id", "not in", [...notCitizenIds]);
  if (fromGrade !== undefined) query = query.where("colleagues.grade", ">=", fromGrade);
  if (belowGrade !== undefined) query = query.where("colleagues.grade", "<", belowGrade);
  if (labels === undefined) return query;
  const given = heldLabels(tx, labels.now)
    .select("g.colleague_id")
    .where("l.id", "in", some(labels.ids, 0))
    .where("l.job", "=", job)
    .groupBy("g.colleague_id")
    .having((e) => e.fn.countAll<number>(), "=", labels.ids.length);
  return query
    .where("colleagues.id", "in", given)
    .where(reached(labels.by, sql.ref("colleagues.citizen_id"), sql.ref("colleagues.grade")));
}

/** At most `limit` rows after a position. */
export async function listRows(
  tx: Tx,
  filter: PeopleFilter,
  position: Position,
  limit: number,
): Promise<(PersonRow & Ordered)[]> {
  const select = filtered(tx, filter).select(shown.map((name) => `colleagues.${name}` as const));
  return await readOrdered(tx, select, { position, limit, narrowed: true });
}

/** How many match, counted no further than `cap`. */
export async function countRows(tx: Tx, filter: PeopleFilter, cap: number): Promise<number> {
  const row = await db(tx)
    .selectFrom(filtered(tx, filter).select("colleagues.id").limit(cap).as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Of these citizens, those who are in the job, by citizen; locked when the unit of work can write. */
export async function peopleOf(tx: Tx, job: string, citizenIds: readonly number[]): Promise<Map<number, PersonRow>> {
  const select = filtered(tx, { job, citizenIds })
    .select(shown.map((name) => `colleagues.${name}` as const))
    .orderBy("colleagues.id");
  const rows = await (tx.writable ? dialectOf(tx).lock(select) : select).execute();
  return new Map(rows.map((row) => [row.citizen_id, row]));
}

/** What stands around the names of the people of a job, of those who have anything there. */
export async function namesIn(tx: Tx, job: string, limit: number) {
  return await db(tx)
    .selectFrom("colleagues")
    .select(["citizen_id as id", "name_prefix as prefix", "name_suffix as suffix"])
    .where("job", "=", job)
    .where("left_at", "is", null)
    .where((e) => e.or([e("name_prefix", "is not", null), e("name_suffix", "is not", null)]))
    .orderBy("citizen_id")
    .limit(limit)
    .execute();
}

export async function noteOf(tx: Tx, id: number): Promise<string | null> {
  const row = await db(tx).selectFrom("colleagues").select("note").where("id", "=", id).executeTakeFirst();
  return row?.note ?? null;
}

export async function update(tx: Tx, id: number, values: Updateable<ColleagueTables["colleagues"]>): Promise<void> {
  await db(tx).updateTable("colleagues").set(values).where("id", "=", id).execute();
}

/** All rows of these citizens, also of jobs that they left, locked. */
export async function lockAll(tx: Tx, citizenIds: readonly number[]): Promise<WholeRow[]> {
  const select = db(tx).selectFrom("colleagues").selectAll().where("citizen_id", "in", some(citizenIds, 0)).orderBy("id");
  return await dialectOf(tx).lock(select).execute();
}

/** Adds these rows, or writes them in the place of those of the same person and job. */
export async function write(tx: Tx, rows: readonly StoredColleague[]): Promise<void> {
  const whole = rows.map((row) => ({
    citizen_id: row.citizen_id,
    job: row.job,
    grade: row.grade,
    name_key: row.name_key,
    rank_key: rankKey(row.grade, row.name_key),
    since: row.since,
    left_at: row.left_at,
    note: row.note,
    name_prefix: row.name_prefix,
    name_suffix: row.name_suffix,
    version: row.version,
  }));
  const update = ["grade", "name_key", "rank_key", "since", "left_at", "note", "name_prefix", "name_suffix", "version"] as const;
  await bulkInsert(tx, colleagues, whole, { onConflict: { keys: ["citizen_id", "job"], update } });
}

/** Whom a search by name finds: people who are in the job. */
export function foundIn(job: string): SearchVisibility {
  const people = "select citizen_id as id from colleagues where job = ? and left_at is null";
  return { condition: { sql: `{id} in (${people})`, params: [job] }, among: { sql: people, params: [job] } };
}

/** How far the people who were there before are filled in, locked; null when all are. */
export async function lockFill(tx: Tx): Promise<number | null> {
  const select = db(tx).selectFrom("colleagues_fill").select("after_id").where("id", "=", 1).where("done_at", "is", null);
  return (await dialectOf(tx).lock(select).executeTakeFirst())?.after_id ?? null;
}

export async function isFilled(tx: Tx): Promise<boolean> {
  const waiting = db(tx).selectFrom("colleagues_fill").select("id").where("done_at", "is", null);
  return (await waiting.executeTakeFirst()) === undefined;
}

export async function saveFill(tx: Tx, afterId: number, doneAt: number | null): Promise<void> {
  await db(tx).updateTable("colleagues_fill").set({ after_id: afterId, done_at: doneAt }).where("id", "=", 1).execute();
}

/** Those who left before an instant, with the labels that rested. */
export async function removeLeft(tx: Tx, before: number, limit: number): Promise<number> {
  const select = db(tx).selectFrom("colleagues").select("id").where("left_at", "<", before).orderBy("left_at").limit(limit);
  return await removeRows(
    tx,
    (await dialectOf(tx).lock(select).execute()).map(({ id }) => id),
  );
}

async function removeRows(tx: Tx, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  await db(tx).deleteFrom("colleagues_given").where("colleague_id", "in", ids).execute();
  await db(tx).deleteFrom("colleagues").where("id", "in", ids).execute();
  return ids.length;
}

/** All that is stored of citizens who were removed for good. */
export async function removeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  await removeRows(
    tx,
    (await lockAll(tx, citizenIds)).map(({ id }) => id),
  );
  await db(tx).deleteFrom("colleagues_activities").where("citizen_id", "in", citizenIds).execute();
  // Not null, which is the game.
  const actor = { actor_id: null, actor_name: "" };
  await db(tx).updateTable("colleagues_activities").set(actor).where("actor_id", "in", citizenIds).execute();
  await db(tx).updateTable("colleagues_labels").set({ deleted_by: null }).where("deleted_by", "in", citizenIds).execute();
}
