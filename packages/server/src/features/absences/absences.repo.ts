import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type SqlBool, type Updateable } from "kysely";
import { days } from "#core/contract/index.ts";
import { dialectOf, pruneOlder, queries, reached } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Reach } from "#core/rank.ts";
import { heldGrades } from "#features/citizens/citizens.reads.ts";
import { kindLimits } from "./absences.base.contract.ts";
import { absences, type AbsenceTables } from "./absences.schema.ts";

export type AbsenceRow = Selectable<AbsenceTables["absences"]>;

/** Whose kinds and reasons are read: of the viewer, of whom a right reaches, and of what waits for a decision. */
export interface Seeing {
  readonly characterId: number;
  readonly job: string;
  readonly reach: Reach;
  readonly decides: readonly number[];
  /** For whom the viewer enters absences. */
  readonly entering: Reach;
}

/** As a viewer reads it. What may not be seen is not selected. */
export type SeenRow = Omit<AbsenceRow, "requested_by"> & {
  /** 0 where kind, reason and decision are empty because the viewer may not see them. */
  readonly seen: number;
  /** 1 where the viewer entered it, for themselves or for somebody else. */
  readonly entered: number;
  /** The present one; null for somebody who has left. */
  readonly grade: number | null;
};

const db = (tx: Tx) => queries<AbsenceTables>(tx);
const some = (ids: readonly number[]) => (ids.length === 0 ? [0] : [...ids]);
const inForce = ["requested", "approved"] as const;

function seenBy({ characterId, job, reach, decides }: Seeing) {
  const own = sql`a.citizen_id = ${characterId}`;
  const decided = sql`a.id in (${sql.join(some(decides))})`;
  const others = reached({ characterId, reach }, sql.ref("a.citizen_id"), sql.ref("held.grade"));
  return sql<SqlBool>`(${own} or ${decided} or (a.job = ${job} and ${others}))`;
}

const withGrades = (tx: Tx) =>
  db(tx)
    .selectFrom("absences as a")
    .leftJoin(heldGrades(tx).as("held"), (join) =>
      join.onRef("held.citizen_id", "=", "a.citizen_id").onRef("held.job", "=", "a.job"),
    );

const open = ["id", "job", "citizen_id", "from_at", "until_at", "first_day", "last_day", "substitute_id"] as const;
const plain = [...open, "state", "version", "created_at"] as const;
const closed = ["kind_id", "reason", "decided_by", "decided_at", "decision_reason"] as const;

function seenRows(tx: Tx, seeing: Seeing) {
  const seen = seenBy(seeing);
  return withGrades(tx)
    .select(plain.map((name) => `a.${name}` as const))
    .select("held.grade")
    .select(sql<number>`case when ${seen} then 1 else 0 end`.as("seen"))
    .select(sql<number>`case when a.requested_by = ${seeing.characterId} then 1 else 0 end`.as("entered"))
    .select(
      closed.map((name) => sql<never>`case when ${seen} then ${sql.ref(`a.${name}`)} end`.as(name)),
    ) as unknown as SelectQueryBuilder<{ a: AbsenceTables["absences"] }, "a", SeenRow>;
}

export interface Place {
  /** The id of the last row of the page before. */
  readonly after: number | null;
  readonly limit: number;
}

/** What the viewer reads of a person in their own job: approved ones, and all whose kinds they see. */
const ofOne = (tx: Tx, seeing: Seeing, citizenId: number) =>
  seenRows(tx, seeing)
    .where("a.citizen_id", "=", citizenId)
    .where("a.job", "=", seeing.job)
    .where((e) => e.or([e("a.state", "=", "approved"), seenBy(seeing)]));

/** The latest request first. */
export async function ofPerson(tx: Tx, seeing: Seeing, citizenId: number, { after, limit }: Place): Promise<SeenRow[]> {
  let select = ofOne(tx, seeing, citizenId);
  if (after !== null) select = select.where("a.id", "<", after);
  return await select.orderBy("a.id", "desc").limit(limit).execute();
}

export async function countOfPerson(tx: Tx, seeing: Seeing, citizenId: number, cap: number): Promise<number> {
  return await counted(tx, ofOne(tx, seeing, citizenId).clearSelect().select("a.id").limit(cap));
}

async function counted(tx: Tx, rows: SelectQueryBuilder<never, never, { id: number }>): Promise<number> {
  const row = await db(tx)
    .selectFrom(rows.as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** By id, in the order of their requests. */
export async function byIds(tx: Tx, seeing: Seeing, ids: readonly number[]): Promise<SeenRow[]> {
  return await seenRows(tx, seeing).where("a.id", "in", some(ids)).orderBy("a.id").execute();
}

/** Instants, half-open. */
export interface Between {
  readonly from: number;
  readonly until: number;
}

/** Longer than any absence, also where clocks were set back in it. */
const longestMs = days(kindLimits.mostDays + 1);

/**
 * Which rows touch a time, as conditions on the index that ends with `until_at`: what ends long after the time began
 * after it, so that a time far back reads no more rows than one of today.
 */
function touches({ from, until }: Between, at: "" | "a." = "") {
  const [began, ended] = [sql.ref(`${at}from_at`), sql.ref(`${at}until_at`)];
  return sql<SqlBool>`(${ended} > ${from} and ${ended} < ${until + longestMs} and ${began} < ${until})`;
}

const within = (tx: Tx, seeing: Seeing, between: Between) =>
  seenRows(tx, seeing)
    .where("a.job", "=", seeing.job)
    .where("a.state", "in", [...inForce])
    .where(touches(between, "a."))
    .where((e) => e.or([e("a.state", "=", "approved"), seenBy(seeing)]));

/** Approved ones of a job that touch a time, and requested ones whose kinds the viewer sees. */
export async function touching(tx: Tx, seeing: Seeing, between: Between, { after, limit }: Place): Promise<SeenRow[]> {
  let select = within(tx, seeing, between);
  if (after !== null) select = select.where("a.id", ">", after);
  return await select.orderBy("a.id").limit(limit).execute();
}

export async function countTouching(tx: Tx, seeing: Seeing, between: Between, cap: number): Promise<number> {
  return await counted(tx, within(tx, seeing, between).clearSelect().select("a.id").limit(cap));
}

/** Locked when the unit of work can write. */
export async function find(tx: Tx, id: number): Promise<AbsenceRow | null> {
  const select = db(tx).selectFrom("absences").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

export async function lockAll(tx: Tx, ids: readonly number[]): Promise<void> {
  await dialectOf(tx)
    .lock(db(tx).selectFrom("absences").select("id").where("id", "in", some(ids)).orderBy("id"))
    .execute();
}

export async function all(tx: Tx, ids: readonly number[]): Promise<AbsenceRow[]> {
  return await db(tx).selectFrom("absences").selectAll().where("id", "in", some(ids)).execute();
}

/** The first one of a person in a job that is requested or approved for a part of this time. */
export async function overlapping(
  tx: Tx,
  { job, citizenId }: { readonly job: string; readonly citizenId: number },
  between: Between,
): Promise<AbsenceRow | null> {
  const select = db(tx)
    .selectFrom("absences")
    .selectAll()
    .where("citizen_id", "=", citizenId)
    .where("job", "=", job)
    .where(touches(between))
    .where("state", "in", [...inForce]);
  return (await select.orderBy("from_at").limit(1).executeTakeFirst()) ?? null;
}

/** How many of a person in a job were created from an instant on, whatever became of them. */
export async function countCreated(
  tx: Tx,
  { job, citizenId }: { readonly job: string; readonly citizenId: number },
  from: number,
): Promise<number> {
  const rows = db(tx).selectFrom("absences").where("citizen_id", "=", citizenId).where("job", "=", job);
  const row = await rows
    .where("created_at", ">=", from)
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** How many have each span of each kind, of those that are approved and touch a time. */
export async function spansWithin(tx: Tx, job: string, between: Between) {
  const rows = await db(tx)
    .selectFrom("absences")
    .select((e) => ["first_day", "last_day", "kind_id", e.fn.countAll<number>().as("n")])
    .where("job", "=", job)
    .where("state", "=", "approved")
    .where(touches(between))
    .groupBy(["first_day", "last_day", "kind_id"])
    .execute();
  return rows.map((row) => ({ firstDay: row.first_day, lastDay: row.last_day, kindId: row.kind_id, n: Number(row.n) }));
}

export type PresentRow = Pick<AbsenceRow, (typeof open)[number]>;

/** Approved ones that touch a time, of a job or of these citizens in it. */
export async function present(tx: Tx, who: Who, between: Between, limit: number): Promise<PresentRow[]> {
  return await presentRows(tx, who, between).orderBy("from_at").orderBy("id").limit(limit).execute();
}

/** The same, of which the last ones are kept where they are too many; those are the first ones of the answer. */
export async function latest(tx: Tx, who: Who, between: Between, limit: number): Promise<PresentRow[]> {
  return await presentRows(tx, who, between).orderBy("from_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

/** People of a job; without their ids, everybody. */
interface Who {
  readonly job: string;
  readonly citizenIds?: readonly number[];
}

function presentRows(tx: Tx, { job, citizenIds }: Who, between: Between) {
  const select = db(tx)
    .selectFrom("absences")
    .select([...open])
    .where("job", "=", job)
    .where("state", "=", "approved")
    .where(touches(between));
  return citizenIds === undefined ? select : select.where("citizen_id", "in", some(citizenIds));
}

/** What these citizens have asked for or have, and is not over, locked. */
export async function lockLive(tx: Tx, citizenIds: readonly number[], now: number): Promise<AbsenceRow[]> {
  const select = db(tx)
    .selectFrom("absences")
    .selectAll()
    .where("citizen_id", "in", some(citizenIds))
    .where("until_at", ">", now)
    .where("state", "in", [...inForce])
    .orderBy("id");
  return await dialectOf(tx).lock(select).execute();
}

/** Those that are not over and have one of these citizens as substitute, locked. */
export async function lockSubstituted(tx: Tx, citizenIds: readonly number[], now: number): Promise<AbsenceRow[]> {
  const select = db(tx)
    .selectFrom("absences")
    .selectAll()
    .where("substitute_id", "in", some(citizenIds))
    .where("until_at", ">", now)
    .where("state", "in", [...inForce])
    .orderBy("id");
  return await dialectOf(tx).lock(select).execute();
}

export async function insert(tx: Tx, row: Insertable<AbsenceTables["absences"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("absences").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<AbsenceTables["absences"]>): Promise<void> {
  await db(tx).updateTable("absences").set(values).where("id", "=", id).execute();
}

export const removeEnded = pruneOlder(absences, "until_at");

/** All that is stored of citizens who were removed for good. */
export async function removeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  const ids = some(citizenIds);
  await db(tx).deleteFrom("absences").where("citizen_id", "in", ids).execute();
  for (const column of ["substitute_id", "requested_by", "decided_by"] as const)
    await db(tx)
      .updateTable("absences")
      .set({ [column]: null })
      .where(column, "in", ids)
      .execute();
  await db(tx).updateTable("absences_kinds").set({ deleted_by: null }).where("deleted_by", "in", ids).execute();
}
