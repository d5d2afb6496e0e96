import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type SqlBool, type Updateable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { EntryFilter, Points } from "./conduct.base.contract.ts";
import type { Reader } from "./conduct.policy.ts";
import type { ConductTables } from "./conduct.schema.ts";

type Entries = ConductTables["conduct_entries"];
export type EntryRow = Selectable<Entries>;

const db = (tx: Tx) => queries<ConductTables>(tx);
const some = (ids: readonly number[]) => (ids.length === 0 ? [0] : [...ids]);

export interface Place {
  /** The id of the last row of the page before. */
  readonly after: number | null;
  readonly limit: number;
}

export interface Narrowing {
  readonly citizenId?: number | undefined;
  readonly kindId?: number | undefined;
  readonly state?: EntryFilter | undefined;
}

/** The plus keeps the index of deleted entries out of it, in which nearly all are not deleted. */
const live = sql<SqlBool>`+${sql.ref("e.deleted_at")} is null`;

/** What the viewer reads of the register of their job. */
function registered(tx: Tx, { characterId, job, register }: Reader) {
  const rows = db(tx).selectFrom("conduct_entries as e").where("e.job", "=", job).where(live);
  if (register === "all") return rows;
  return register === "own" ? rows.where("e.author_id", "=", characterId) : rows.where(sql<SqlBool>`1 = 0`);
}

/** What was released about the viewer, in their jobs and in those that they left a short time ago. */
function about(tx: Tx, { characterId, leftAfter }: Reader) {
  return db(tx)
    .selectFrom("conduct_entries as e")
    .where("e.citizen_id", "=", characterId)
    .where(live)
    .where("e.state", "<>", "draft")
    .where((w) => w.or([w("e.left_at", "is", null), w("e.left_at", ">", leftAfter)]));
}

type Rows = ReturnType<typeof registered>;

const ofState: Readonly<Record<EntryFilter, (rows: Rows, now: number) => Rows>> = {
  draft: (rows) => rows.where("e.state", "=", "draft"),
  withdrawn: (rows) => rows.where("e.state", "=", "withdrawn"),
  released: (rows, now) =>
    rows.where("e.state", "=", "released").where((w) => w.or([w("e.expires_at", "is", null), w("e.expires_at", ">", now)])),
  expired: (rows, now) => rows.where("e.state", "=", "released").where("e.expires_at", "<=", now),
  unacknowledged: (rows) =>
    rows.where("e.state", "=", "released").where("e.wants_ack", "=", 1).where("e.acknowledged_at", "is", null),
};

function narrowed(tx: Tx, reader: Reader, { citizenId, kindId, state }: Narrowing, now: number): Rows {
  let rows = registered(tx, reader);
  if (citizenId !== undefined) rows = rows.where("e.citizen_id", "=", citizenId);
  if (kindId !== undefined) rows = rows.where("e.kind_id", "=", kindId);
  return state === undefined ? rows : ofState[state](rows, now);
}

async function paged(rows: Rows, { after, limit }: Place): Promise<EntryRow[]> {
  const behind = after === null ? rows : rows.where("e.id", "<", after);
  return await behind.selectAll("e").orderBy("e.id", "desc").limit(limit).execute();
}

async function counted(tx: Tx, rows: SelectQueryBuilder<never, never, { id: number }>): Promise<number> {
  const row = await db(tx)
    .selectFrom(rows.as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

const idsOf = (rows: Rows, cap: number) =>
  rows.select("e.id").limit(cap) as unknown as SelectQueryBuilder<never, never, { id: number }>;

/** Of the register, the newest first. */
export async function listRows(tx: Tx, reader: Reader, narrowing: Narrowing, place: Place, now: number): Promise<EntryRow[]> {
  return await paged(narrowed(tx, reader, narrowing, now), place);
}

export async function countRows(tx: Tx, reader: Reader, narrowing: Narrowing, cap: number, now: number): Promise<number> {
  return await counted(tx, idsOf(narrowed(tx, reader, narrowing, now), cap));
}

/** About the viewer, the newest first. */
export async function ownRows(tx: Tx, reader: Reader, place: Place): Promise<EntryRow[]> {
  return await paged(about(tx, reader), place);
}

export async function countOwn(tx: Tx, reader: Reader, cap: number): Promise<number> {
  return await counted(tx, idsOf(about(tx, reader), cap));
}

/** How many the viewer is asked to acknowledge. */
export async function countWaiting(tx: Tx, reader: Reader, cap: number): Promise<number> {
  return await counted(tx, idsOf(ofState.unacknowledged(about(tx, reader), 0).where("e.left_at", "is", null), cap));
}

/** What counts now of these people in a job, by tone; those without anything are left out. */
export async function pointsOf(tx: Tx, job: string, citizenIds: readonly number[], now: number): Promise<Map<number, Points>> {
  const rows = await db(tx)
    .selectFrom("conduct_entries")
    .select((e) => ["citizen_id", "tone", e.fn.sum<number>("points").as("n")])
    .where("job", "=", job)
    .where("citizen_id", "in", some(citizenIds))
    .where("state", "=", "released")
    .where("deleted_at", "is", null)
    .where("left_at", "is", null)
    .where((e) => e.or([e("expires_at", "is", null), e("expires_at", ">", now)]))
    .groupBy(["citizen_id", "tone"])
    .execute();
  const sums = new Map<number, Points>();
  for (const { citizen_id: id, tone, n } of rows)
    sums.set(id, { ...(sums.get(id) ?? { negative: 0, positive: 0 }), [tone]: Number(n) });
  return sums;
}

/** Deleted ones too; locked when the unit of work can write. */
export async function find(tx: Tx, id: number): Promise<EntryRow | null> {
  const select = db(tx).selectFrom("conduct_entries").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

/** Deleted ones too. */
export async function findMany(tx: Tx, ids: readonly number[]): Promise<EntryRow[]> {
  return await db(tx).selectFrom("conduct_entries").selectAll().where("id", "in", some(ids)).execute();
}

export async function countDrafts(tx: Tx, job: string, authorId: number): Promise<number> {
  const rows = db(tx).selectFrom("conduct_entries").where("job", "=", job).where("author_id", "=", authorId);
  const row = await rows
    .where("state", "=", "draft")
    .where("deleted_at", "is", null)
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function countAbout(tx: Tx, job: string, citizenId: number): Promise<number> {
  const rows = db(tx).selectFrom("conduct_entries").where("job", "=", job).where("citizen_id", "=", citizenId);
  const row = await rows
    .where("deleted_at", "is", null)
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function insert(tx: Tx, row: Insertable<Entries>): Promise<number> {
  const { insertId } = await db(tx).insertInto("conduct_entries").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<Entries>): Promise<void> {
  await db(tx).updateTable("conduct_entries").set(values).where("id", "=", id).execute();
}
