import type { TObject, TSchema } from "typebox";
import type { Table } from "#core/db/table.ts";
import type { CallContext, SyncKind } from "#core/feature.ts";
import type { SearchText, Tx } from "#core/ports/index.ts";
import type { Batch } from "./sync.batch.api.ts";
import type { BatchResult, SyncKindName } from "./sync.contract.ts";

/** Columns that the game fills, by name. */
export type SyncColumns = Readonly<Record<string, string | number | null>>;

/** Rows of child tables without their owner, by a name that the declaration chooses. */
export type SyncLists = Readonly<Record<string, readonly SyncColumns[]>>;

/** Of a table without child tables. */
export type NoLists = Readonly<Record<string, never>>;

export interface SyncRecord<C, L> {
  readonly columns: C;
  readonly lists: L;
}

/** A column, a list, or `deleted_at` for a row that was marked as deleted and is sent again. */
export type SyncedPart<C, L> = (keyof C & string) | (keyof L & string) | "deleted_at";

/** A row that was just written, with what an item left out. */
export interface SyncedRow<C, L> extends SyncRecord<C, L> {
  /** 0 where the game's id is the primary key. */
  readonly id: number;
  /** 0 where the table has no versions. */
  readonly version: number;
  /** What differs from the stored row; null for a new row. */
  readonly changed: readonly SyncedPart<C, L>[] | null;
  /** The columns as they were stored; null for a new row. */
  readonly before: C | null;
  /** The list that the declaration compares, as it was stored; null for a new row, and where nothing is compared. */
  readonly listBefore: readonly SyncColumns[] | null;
}

/** A row that was just marked as deleted. */
export interface RemovedRow {
  readonly id: number;
  /** The game's id. */
  readonly key: string;
  readonly version: number;
}

/**
 * A table that the game server fills. It needs the columns `sync_hash` and `deleted_at`; of `search_hash`,
 * `source`, `version`, `created_at` and `updated_at` those that it has are kept. Its primary key is either
 * a generated `id` or the game's id.
 */
export interface SyncTable<Item extends object, C extends SyncColumns, L extends SyncLists, Change> {
  readonly kind: SyncKindName;
  readonly table: Table;
  /** The unique column with the game's id. */
  readonly key: keyof C & string;
  /** The operation that sends items, the schema of one, and the game's id in it. */
  readonly sync: {
    readonly action: string;
    readonly schema: TObject;
    idOf(item: Item): string;
  } & Pick<Batch<Item>, "problemOf" | "problemsIn">;
  /** The operation that reports deleted ids, and the schema of one. */
  readonly deletion: { readonly action: string; readonly schema: TSchema };
  /** How the audit log names the removal by a manifest. */
  readonly removal: { readonly action: string; readonly kind: string };
  /** Part of `sync_hash`. Raise it when the same item is to be stored differently: every item is then written once more. */
  readonly storedAs: number;
  /** What items mean beside what is stored elsewhere; left out where each stands for itself. Never another game's id. */
  meantBy?(tx: Tx): Promise<(item: Item) => Item>;
  /**
   * What is stored of an item. Fields that it leaves out keep their value of `before`, which is null for a
   * row that is not stored yet and for an item that leaves nothing out. Lists that it leaves out are not in
   * `lists`, and stay as they are.
   */
  recordOf(item: Item, before: C | null): { readonly columns: C; readonly lists: Partial<L> };
  /** The tables of the lists, with the column that names the row a child belongs to. */
  readonly children?: { readonly [N in keyof L]: { readonly table: Table; readonly owner: string } };
  /** Further columns, computed only for rows that are written. */
  derivedOf?(record: SyncRecord<C, L>): SyncColumns;
  /** The document of a row in the search index; for tables with a generated `id`. */
  readonly search?: { readonly kind: string; textsOf(record: SyncRecord<C, L>): readonly SearchText[] };
  readonly event?: {
    /** A list that `changesOf` compares with the stored one, and where it does; one statement for all that changed so. */
    readonly compares?: { readonly list: keyof L & string; of(record: SyncRecord<C, L>): boolean };
    changesOf(tx: Tx, rows: readonly SyncedRow<C, L>[], at: number): Promise<readonly Change[]>;
    removalOf(row: RemovedRow, at: number): Change;
    /** Emits one event. Called once per chunk of changes that fits into an event. */
    emit(tx: Tx, changes: Change[], at: number): Promise<void>;
  };
}

/** What a batch call carries besides its items or ids. */
export interface SyncSource {
  readonly source?: string;
}

/** The use cases of one declared table. */
export interface GameTable extends Required<SyncKind> {
  sync(call: CallContext, body: SyncSource & { readonly items: readonly unknown[] }): Promise<BatchResult>;
  /** Marks rows as deleted. One that is sent again is restored with everything that was stored of it. */
  delete(call: CallContext, body: SyncSource, ids: readonly string[]): Promise<BatchResult>;
}
