import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { bulkInsert, dialectOf, pruneOlder, queries, reached } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { heldLabels, type Reader } from "./colleagues.repo.ts";
import { colleaguesGiven, type ColleagueTables } from "./colleagues.schema.ts";

export type LabelRow = Selectable<ColleagueTables["colleagues_labels"]>;
export type GivenRow = Selectable<ColleagueTables["colleagues_given"]>;
/** A label that somebody has. */
export type HeldRow = Pick<LabelRow, "id" | "name" | "colour" | "icon"> & Pick<GivenRow, "colleague_id" | "ends_at">;

const db = (tx: Tx) => queries<ColleagueTables>(tx);

/** Of a job, in their order; locked, with the turn of the job, when the unit of work can write. */
export async function labelsOf(tx: Tx, job: string): Promise<LabelRow[]> {
  const select = db(tx).selectFrom("colleagues_labels").selectAll().where("job", "=", job).orderBy("position").orderBy("id");
  if (!tx.writable) return await select.execute();
  await takeTurn(tx, job);
  return await dialectOf(tx).lock(select).execute();
}

/**
 * Locks of the labels alone do not suffice: who waits at a label that gets another name goes on behind its old place in
 * the index by name and misses it, and the first labels of a job leave nothing to wait at.
 */
async function takeTurn(tx: Tx, job: string): Promise<void> {
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("colleagues_turns").values({ job })).execute();
  const select = db(tx).selectFrom("colleagues_turns").select("job").where("job", "=", job);
  await dialectOf(tx).lock(select).execute();
}

export async function insert(tx: Tx, row: Insertable<ColleagueTables["colleagues_labels"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("colleagues_labels").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<ColleagueTables["colleagues_labels"]>): Promise<void> {
  await db(tx).updateTable("colleagues_labels").set(values).where("id", "=", id).execute();
}

const heldColumns = ["l.id", "l.name", "l.colour", "l.icon", "g.colleague_id", "g.ends_at"] as const;

/** What these people have, in the order of the labels. */
export async function heldBy(tx: Tx, colleagueIds: readonly number[], now: number): Promise<HeldRow[]> {
  if (colleagueIds.length === 0) return [];
  return await heldLabels(tx, now)
    .select(heldColumns)
    .where("g.colleague_id", "in", [...colleagueIds])
    .orderBy("l.position")
    .orderBy("l.id")
    .execute();
}

const inJob = (tx: Tx, job: string, by: Reader, now: number) =>
  heldLabels(tx, now)
    .innerJoin("colleagues as c", "c.id", "g.colleague_id")
    .where("c.job", "=", job)
    .where("c.left_at", "is", null)
    .where(reached(by, sql.ref("c.citizen_id"), sql.ref("c.grade")));

/** How many people of a job have each label, of those whom the reader sees with it. */
export async function countHeld(tx: Tx, job: string, by: Reader, now: number): Promise<Map<number, number>> {
  const rows = await inJob(tx, job, by, now)
    .select((e) => ["l.id", e.fn.countAll<number>().as("n")])
    .groupBy("l.id")
    .execute();
  return new Map(rows.map(({ id, n }) => [id, Number(n)]));
}

interface EndingWanted {
  readonly job: string;
  readonly by: Reader;
  readonly now: number;
  readonly before: number;
}

/** How many labels end before an instant, counted no further than `cap`. */
export async function countEnding(tx: Tx, { job, by, now, before }: EndingWanted, cap: number): Promise<number> {
  const found = inJob(tx, job, by, now).select("l.id").where("g.ends_at", "<=", before).limit(cap).as("capped");
  const row = await db(tx)
    .selectFrom(found)
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Labels that end before an instant, the first ones first. */
export async function ending(tx: Tx, { job, by, now, before }: EndingWanted, limit: number) {
  return await inJob(tx, job, by, now)
    .select([...heldColumns, "c.citizen_id"])
    .where("g.ends_at", "<=", before)
    .orderBy("g.ends_at")
    .orderBy("g.colleague_id")
    .orderBy("l.id")
    .limit(limit)
    .execute();
}

interface HoldersWanted {
  readonly job: string;
  readonly labelIds: readonly number[];
  readonly by: Reader;
  readonly now: number;
}

/** Who has any of these labels, of those whom the reader sees with it, the highest grade first. */
export async function holdersOf(tx: Tx, { job, labelIds, by, now }: HoldersWanted, limit: number) {
  return await inJob(tx, job, by, now)
    .select(["l.id", "c.citizen_id"])
    .where("l.id", "in", [...labelIds])
    .orderBy("c.rank_key")
    .orderBy("c.id")
    .orderBy("l.id", "desc")
    .limit(limit)
    .execute();
}

/** Live labels of a job in their order; never locked. */
export async function labelNames(tx: Tx, job: string): Promise<{ id: number; name: string }[]> {
  const select = db(tx).selectFrom("colleagues_labels").select(["id", "name"]).where("job", "=", job);
  return await select.where("deleted_at", "is", null).orderBy("position").orderBy("id").execute();
}

/** Of these citizens who have the job, which of these labels they have. */
export async function labelHolders(
  tx: Tx,
  job: string,
  { labelIds, citizenIds }: { readonly labelIds: readonly number[]; readonly citizenIds: readonly number[] },
  at: number,
) {
  return await heldLabels(tx, at)
    .innerJoin("colleagues as c", "c.id", "g.colleague_id")
    .select(["l.id", "c.citizen_id", "g.ends_at"])
    .where("c.job", "=", job)
    .where("c.left_at", "is", null)
    .where("c.citizen_id", "in", citizenIds.length === 0 ? [0] : [...citizenIds])
    .where("l.id", "in", labelIds.length === 0 ? [0] : [...labelIds])
    .execute();
}

export async function give(tx: Tx, rows: readonly GivenRow[]): Promise<void> {
  await bulkInsert(tx, colleaguesGiven, rows, { onConflict: { keys: ["colleague_id", "label_id"], update: ["ends_at"] } });
}

export async function take(tx: Tx, rows: readonly Pick<GivenRow, "colleague_id" | "label_id">[]): Promise<void> {
  for (const [labelId, all] of Map.groupBy(rows, ({ label_id }) => label_id))
    await db(tx)
      .deleteFrom("colleagues_given")
      .where("label_id", "=", labelId)
      .where(
        "colleague_id",
        "in",
        all.map(({ colleague_id }) => colleague_id),
      )
      .execute();
}

/** Everything that rested with these people. */
export async function takeAll(tx: Tx, colleagueIds: readonly number[]): Promise<void> {
  if (colleagueIds.length === 0) return;
  await db(tx)
    .deleteFrom("colleagues_given")
    .where("colleague_id", "in", [...colleagueIds])
    .execute();
}

export const removeEnded = pruneOlder(colleaguesGiven, "ends_at");

/** Labels that were deleted before an instant, with who had them. */
export async function removeDeleted(tx: Tx, before: number, limit: number): Promise<number> {
  const select = db(tx).selectFrom("colleagues_labels").select("id").where("deleted_at", "<", before).orderBy("deleted_at");
  const ids = (await dialectOf(tx).lock(select.limit(limit)).execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db(tx).deleteFrom("colleagues_given").where("label_id", "in", ids).execute();
  await db(tx).deleteFrom("colleagues_labels").where("id", "in", ids).execute();
  return ids.length;
}
