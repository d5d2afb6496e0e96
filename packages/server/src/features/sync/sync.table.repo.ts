import { sql } from "kysely";
import { bulkInsert, dialectOf, queries, type Table } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { SyncColumns } from "./sync.table.api.ts";

type Untyped = Record<string, Record<string, string | number | null>>;

/** What the kit itself keeps of a row. Columns that the table lacks are absent. */
interface Bookkeeping {
  readonly id?: number;
  readonly version?: number;
  readonly created_at?: number;
  readonly search_hash?: string;
  readonly sync_hash: string;
  readonly deleted_at: number | null;
}

const bookkeeping = ["id", "version", "created_at", "search_hash", "sync_hash", "deleted_at"];

export interface StoredRow<C> extends Bookkeeping {
  readonly key: string;
  /** Null if the caller did not request them. */
  readonly columns: C | null;
}

export interface ChildTable {
  readonly table: Table;
  /** The column with the id of the row that a child belongs to. */
  readonly owner: string;
}

/** SQL of one table that the game server fills. */
export class SyncTableRepo<C extends SyncColumns> {
  readonly #table: Table;
  readonly #key: string;
  readonly #bookkeeping: readonly string[];

  constructor(table: Table, key: string) {
    this.#table = table;
    this.#key = key;
    this.#bookkeeping = bookkeeping.filter((name) => name in table.columns);
  }

  get #primary(): string {
    return "id" in this.#table.columns ? "id" : this.#key;
  }

  /** What children name a row by: its `id`, or the game's id where that is the primary key. */
  ownerOf({ id, key }: { readonly id?: number | undefined; readonly key: string }): string | number {
    return "id" in this.#table.columns ? (id ?? 0) : key;
  }

  /**
   * Live, of rows found by another key. The plus keeps indexes that begin with `deleted_at` out of it:
   * SQLite would otherwise read all live rows instead of looking up a list of keys.
   */
  get #foundLive() {
    return sql<boolean>`+${sql.ref(`${this.#table.name}.deleted_at`)} is null`;
  }

  #select(tx: Tx, keys: readonly string[], columns: readonly string[]) {
    return queries<Untyped>(tx)
      .selectFrom(this.#table.name)
      .select([...new Set([this.#key, ...this.#bookkeeping, ...columns])])
      .where(this.#key, "in", keys);
  }

  /** Stored rows by the game's id, deleted ones too, locked until the unit of work ends. */
  async lock(tx: Tx, keys: readonly string[], columns: readonly string[] = []): Promise<Map<string, StoredRow<C>>> {
    const select = dialectOf(tx).lock(this.#select(tx, [...keys].sort(), columns));
    return this.#byKey(await select.$castTo<C & Bookkeeping>().execute(), columns.length > 0);
  }

  /** Live rows by the game's id, without locks. */
  async readLive(tx: Tx, keys: readonly string[], columns: readonly string[]): Promise<Map<string, StoredRow<C>>> {
    const select = this.#select(tx, keys, columns).where(this.#foundLive);
    return this.#byKey(await select.$castTo<C & Bookkeeping>().execute(), columns.length > 0);
  }

  #byKey(rows: readonly (C & Bookkeeping)[], withColumns: boolean): Map<string, StoredRow<C>> {
    return new Map(
      rows.map((row) => {
        const key = String(row[this.#key]);
        const { id, version, created_at, search_hash, sync_hash, deleted_at }: Bookkeeping = row;
        const columns = withColumns ? row : null;
        return [key, { key, id, version, created_at, search_hash, sync_hash, deleted_at, columns }];
      }),
    );
  }

  /**
   * Overwrites stored rows. They are matched by their primary key: an upsert that finds its row by
   * another key first inserts it and takes that back.
   */
  async overwrite(tx: Tx, rows: readonly SyncColumns[]): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    const kept = new Set([this.#primary, this.#key, "created_at"]);
    const update = Object.keys(first).filter((name) => !kept.has(name));
    await bulkInsert(tx, this.#table, rows, { onConflict: { keys: [this.#primary], update } });
  }

  /**
   * Inserts rows that were not found, and returns generated ids by the game's id. They are inserted
   * plainly: a row that another unit of work stored in the meantime throws `DuplicateKey`, and the caller
   * starts again knowing it, instead of merging into a row that it has not read.
   */
  async insert(tx: Tx, rows: readonly SyncColumns[]): Promise<Map<string, number>> {
    if (rows.length === 0) return new Map();
    await bulkInsert(tx, this.#table, rows);
    if (this.#primary === this.#key) return new Map();
    const numbered = await queries<Untyped>(tx)
      .selectFrom(this.#table.name)
      .select(["id", this.#key])
      .where(
        this.#key,
        "in",
        rows.map((row) => row[this.#key] ?? null),
      )
      .execute();
    return new Map(numbered.map((row) => [String(row[this.#key]), Number(row["id"])]));
  }

  async markDeleted(tx: Tx, rows: readonly Pick<StoredRow<C>, "id" | "key">[], at: number): Promise<void> {
    const has = (name: string) => name in this.#table.columns;
    await queries<Untyped>(tx)
      .updateTable(this.#table.name)
      .set((set) => ({
        deleted_at: at,
        ...(has("updated_at") && { updated_at: at }),
        ...(has("version") && { version: set("version", "+", 1) }),
      }))
      .where(
        this.#primary,
        "in",
        rows.map((row) => this.ownerOf(row)),
      )
      .execute();
  }

  async countLive(tx: Tx): Promise<number> {
    const row = await queries<Untyped>(tx)
      .selectFrom(this.#table.name)
      .select((e) => e.fn.countAll<number>().as("n"))
      .where("deleted_at", "is", null)
      .executeTakeFirstOrThrow();
    return Number(row.n);
  }

  /** Of the live ids of the game, at most `limit` above `after`, in rising byte order. */
  async liveKeys(tx: Tx, after: string, limit: number): Promise<string[]> {
    const rows = await queries<Untyped>(tx)
      .selectFrom(this.#table.name)
      .select(this.#key)
      .where(this.#key, ">", after)
      .where(this.#foundLive)
      .orderBy(this.#key)
      .limit(limit)
      .execute();
    return rows.map((row) => String(row[this.#key]));
  }
}

/** Children of these owners, in the order of their primary key. */
export async function readChildren<Child extends SyncColumns>(
  tx: Tx,
  { table, owner }: ChildTable,
  owners: readonly (string | number)[],
): Promise<Map<string | number | null, Child[]>> {
  let select = queries<Untyped>(tx).selectFrom(table.name).select(Object.keys(table.columns)).where(owner, "in", owners);
  for (const name of table.options.primary) select = select.orderBy(name);
  return Map.groupBy(await select.$castTo<Child>().execute(), (row) => row[owner] ?? null);
}

/** Writes the children of owners; of `known`, the owners that may have older ones, those are removed first. */
export async function replaceChildren(
  tx: Tx,
  { table, owner }: ChildTable,
  lists: readonly { readonly owner: string | number; readonly list: readonly SyncColumns[] }[],
  known: readonly (string | number)[],
): Promise<void> {
  if (known.length > 0) await queries<Untyped>(tx).deleteFrom(table.name).where(owner, "in", known).execute();
  const rows = lists.flatMap((one) => one.list.map((child) => ({ [owner]: one.owner, ...child })));
  await bulkInsert(tx, table, rows);
}
