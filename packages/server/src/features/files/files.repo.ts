import { type Insertable, type Selectable, sql } from "kysely";
import { dialectOf, type Ordered, type Position, queries, readOrdered } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { NamespaceUsage } from "./files.contract.ts";
import type { FileTables } from "./files.schema.ts";

export type FileRecord = Selectable<FileTables["files"]>;
export type ReferenceRecord = Selectable<FileTables["files_references"]>;

export async function insert(tx: Tx, row: Insertable<FileTables["files"]>): Promise<number> {
  const { insertId } = await queries<FileTables>(tx).insertInto("files").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

/** A file that is not deleted; locked when the unit of work can write. */
export async function find(tx: Tx, id: number): Promise<FileRecord | null> {
  const select = queries<FileTables>(tx).selectFrom("files").selectAll().where("id", "=", id).where("deleted_at", "is", null);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

/** Those of these files that are not deleted; locked when the unit of work can write. */
export async function findMany(tx: Tx, ids: readonly number[]): Promise<FileRecord[]> {
  if (ids.length === 0) return [];
  const select = filtered(tx, { ids }).selectAll().orderBy("id");
  return await (tx.writable ? dialectOf(tx).lock(select) : select).execute();
}

export async function addReferences(tx: Tx, rows: readonly ReferenceRecord[]): Promise<void> {
  if (rows.length === 0) return;
  const insertion = queries<FileTables>(tx).insertInto("files_references").values(rows);
  await dialectOf(tx).ignoreConflicts(insertion).execute();
  const ids = rows.map(({ file_id }) => file_id);
  await queries<FileTables>(tx).updateTable("files").set({ loose_since: null }).where("id", "in", ids).execute();
}

/** Of files that were uploaded for an owner that did not exist yet. */
export async function setOwner(tx: Tx, ids: readonly number[], owner: string): Promise<void> {
  await queries<FileTables>(tx).updateTable("files").set({ owner }).where("id", "in", ids).execute();
}

export async function referencesOf(tx: Tx, kind: string, owners: readonly string[]): Promise<ReferenceRecord[]> {
  if (owners.length === 0) return [];
  return await queries<FileTables>(tx)
    .selectFrom("files_references")
    .selectAll()
    .where("kind", "=", kind)
    .where("owner", "in", owners)
    .orderBy("attached_at")
    .orderBy("file_id")
    .execute();
}

export async function referencesTo(tx: Tx, ids: readonly number[]): Promise<ReferenceRecord[]> {
  if (ids.length === 0) return [];
  return await queries<FileTables>(tx).selectFrom("files_references").selectAll().where("file_id", "in", ids).execute();
}

/** Removes references; files without any other are orphaned from `at` on. */
export async function removeReferences(tx: Tx, rows: readonly ReferenceRecord[], at: number): Promise<void> {
  for (const { kind, owner, file_id } of rows) {
    await queries<FileTables>(tx)
      .deleteFrom("files_references")
      .where("kind", "=", kind)
      .where("owner", "=", owner)
      .where("file_id", "=", file_id)
      .execute();
  }
  const ids = rows.map(({ file_id }) => file_id);
  const still = new Set((await referencesTo(tx, ids)).map(({ file_id }) => file_id));
  const orphaned = ids.filter((id) => !still.has(id));
  if (orphaned.length > 0)
    await queries<FileTables>(tx).updateTable("files").set({ loose_since: at }).where("id", "in", orphaned).execute();
}

export async function markDeleted(tx: Tx, ids: readonly number[], at: number): Promise<void> {
  await queries<FileTables>(tx).updateTable("files").set({ deleted_at: at }).where("id", "in", ids).execute();
}

/** Locked. `loose_since` is not trusted alone: a file with a reference is never one of them. */
export async function findOrphaned(tx: Tx, before: number, limit: number): Promise<number[]> {
  const select = queries<FileTables>(tx)
    .selectFrom("files")
    .select("id")
    .where("loose_since", "<", before)
    .where("deleted_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("files_references").select("file_id").whereRef("files_references.file_id", "=", "files.id"))),
    )
    .limit(limit);
  return (await dialectOf(tx).lock(select).execute()).map(({ id }) => id);
}

/** The bytes of each file that this account uploaded and nothing refers to; locked when the unit of work can write. */
export async function unusedSizes(tx: Tx, accountId: number, limit: number): Promise<number[]> {
  const select = queries<FileTables>(tx)
    .selectFrom("files")
    .select(["size", "thumbnail_size"])
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .where("loose_since", "is not", null)
    .limit(limit);
  const rows = await (tx.writable ? dialectOf(tx).lock(select) : select).execute();
  return rows.map((row) => row.size + row.thumbnail_size);
}

export async function findDeleted(tx: Tx, until: number, limit: number): Promise<FileRecord[]> {
  return await queries<FileTables>(tx)
    .selectFrom("files")
    .selectAll()
    .where("deleted_at", "<=", until)
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function purge(tx: Tx, ids: readonly number[]): Promise<void> {
  await queries<FileTables>(tx).deleteFrom("files").where("id", "in", ids).where("deleted_at", "is not", null).execute();
}

/** By key, the size and hash that the row of a file has; keys without a row are left out. */
export async function findByKeys(tx: Tx, keys: readonly string[]): Promise<Map<string, { sha256: string; size: number }>> {
  if (keys.length === 0) return new Map();
  const rows = await queries<FileTables>(tx)
    .selectFrom("files")
    .select(["object_key", "sha256", "size"])
    .where("object_key", "in", keys)
    .execute();
  return new Map(rows.map(({ object_key, sha256, size }) => [object_key, { sha256, size }]));
}

export async function usage(tx: Tx): Promise<NamespaceUsage[]> {
  const rows = await queries<FileTables>(tx)
    .selectFrom("files")
    .select((e) => ["namespace", e.fn.countAll<number>().as("files"), sql<number>`sum(size + thumbnail_size)`.as("bytes")])
    .groupBy("namespace")
    .orderBy("namespace")
    .execute();
  return rows.map(({ namespace, files, bytes }) => ({ namespace, files: Number(files), bytes: Number(bytes) }));
}

export interface FileFilter {
  readonly ids?: readonly number[];
  readonly namespace?: string;
}

function filtered(tx: Tx, { ids, namespace }: FileFilter) {
  let select = queries<FileTables>(tx).selectFrom("files").where("deleted_at", "is", null);
  if (ids !== undefined) select = select.where("id", "in", ids);
  if (namespace !== undefined) select = select.where("namespace", "=", namespace);
  return select;
}

/** Those of these files that are not deleted, the newest first. */
export async function list(tx: Tx, ids: readonly number[]): Promise<FileRecord[]> {
  if (ids.length === 0) return [];
  return await filtered(tx, { ids }).selectAll().orderBy("id", "desc").execute();
}

/** At most `limit` files after a position. */
export async function listRows(tx: Tx, filter: FileFilter, position: Position, limit: number): Promise<(FileRecord & Ordered)[]> {
  return await readOrdered(tx, filtered(tx, filter).selectAll(), { position, limit, narrowed: Object.keys(filter).length > 0 });
}

/** How many match, counted up to `cap`. */
export async function count(tx: Tx, filter: FileFilter, cap: number): Promise<number> {
  const row = await queries<FileTables>(tx)
    .selectFrom(filtered(tx, filter).select("id").limit(cap).as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export type MoveRecord = Selectable<FileTables["files_moves"]>;

export async function findMove(tx: Tx, target: string): Promise<MoveRecord | null> {
  const select = queries<FileTables>(tx).selectFrom("files_moves").selectAll().where("target", "=", target);
  return (await select.executeTakeFirst()) ?? null;
}

export async function putMove(tx: Tx, row: MoveRecord): Promise<void> {
  const insertion = queries<FileTables>(tx).insertInto("files_moves").values(row);
  const columns = ["after_key", "objects", "bytes", "started_at", "finished_at"];
  await dialectOf(tx).upsert(insertion, ["target"], columns).execute();
}
