import type { Search, Tx } from "#core/ports/index.ts";
import type { SyncColumns, SyncedRow, SyncLists, SyncRecord, SyncTable } from "./sync.table.api.ts";
import { eventChunks, partsChanged, searchHash } from "./sync.table.policy.ts";
import { type ChildTable, readChildren, replaceChildren, type StoredRow, type SyncTableRepo } from "./sync.table.repo.ts";

/** A row that an item changes. */
export interface ChangedRow<C, L> {
  readonly key: string;
  /** Null for a row that is not stored yet. */
  readonly before: StoredRow<C> | null;
  readonly columns: C;
  /** Without the lists that the item left out. */
  readonly sent: Partial<L>;
  /** Lists whose rows differ from the stored ones. */
  readonly changedLists: ReadonlySet<string>;
  readonly hash: string;
}

interface CompletedRow<C, L> extends ChangedRow<C, L> {
  readonly record: SyncRecord<C, L>;
  readonly version: number;
  /** Empty for a table that is not searched. */
  readonly searchHash: string;
}

interface WrittenRow<C, L> extends CompletedRow<C, L> {
  readonly id: number;
}

/** Of a table, what does not depend on its items. */
type WrittenTable<C extends SyncColumns, L extends SyncLists, Change> = Omit<SyncTable<never, C, L, Change>, "meantBy">;

/** Writes changed rows of one table with their children, search documents and events, all in bulk. */
export class SyncTableWriter<C extends SyncColumns, L extends SyncLists, Change> {
  readonly #search: Search;
  readonly #table: WrittenTable<C, L, Change>;
  readonly #rows: SyncTableRepo<C>;
  readonly #children: readonly (readonly [name: string, child: ChildTable])[];

  constructor(search: Search, table: WrittenTable<C, L, Change>, rows: SyncTableRepo<C>) {
    this.#search = search;
    this.#table = table;
    this.#rows = rows;
    this.#children = Object.entries<ChildTable>(table.children ?? {});
  }

  async write(tx: Tx, changed: readonly ChangedRow<C, L>[], source: string, at: number): Promise<void> {
    const complete = await this.#complete(tx, changed);
    const compared = await this.#compared(tx, complete);
    const rows = await this.#writeRows(tx, complete, source, at);
    await this.#writeChildren(tx, rows);
    await this.#index(tx, rows);
    const { event } = this.#table;
    if (event === undefined) return;
    const written = rows.map(({ id, version, record, before, columns, changedLists }): SyncedRow<C, L> => {
      const listBefore = before === null ? null : (compared.get(this.#rows.ownerOf(before)) ?? null);
      const parts = partsChanged(before, columns, changedLists);
      return { ...record, id, version, changed: parts, before: before?.columns ?? null, listBefore };
    });
    for (const chunk of eventChunks(await event.changesOf(tx, written, at))) await event.emit(tx, chunk, at);
  }

  /** Adds the stored lists that items left out, and what is derived from the whole. */
  async #complete(tx: Tx, changed: readonly ChangedRow<C, L>[]): Promise<CompletedRow<C, L>[]> {
    const stored = new Map<string, ReadonlyMap<string | number | null, readonly SyncColumns[]>>();
    for (const [name, child] of this.#children) {
      const owners = changed.flatMap(({ before, sent }) => (before === null || name in sent ? [] : [this.#rows.ownerOf(before)]));
      if (owners.length > 0) stored.set(name, await readChildren(tx, child, owners));
    }
    return changed.map((one) => {
      const listOf = (name: string) => (one.before === null ? undefined : stored.get(name)?.get(this.#rows.ownerOf(one.before)));
      const kept = Object.fromEntries(this.#children.map(([name]) => [name, listOf(name) ?? []]));
      // Every declared list is in `kept`, with rows of its own table.
      const record = { columns: one.columns, lists: { ...kept, ...one.sent } as L };
      const texts = this.#table.search?.textsOf(record);
      return { ...one, record, version: (one.before?.version ?? 0) + 1, searchHash: texts ? searchHash(texts) : "" };
    });
  }

  /** The stored rows of the list that changes are compared with, by owner. */
  async #compared(tx: Tx, rows: readonly CompletedRow<C, L>[]): Promise<ReadonlyMap<unknown, readonly SyncColumns[]>> {
    const compares = this.#table.event?.compares;
    const [, child] = this.#children.find(([name]) => name === compares?.list) ?? [];
    if (compares === undefined || child === undefined) return new Map();
    const asked = rows.filter(({ record, changedLists }) => changedLists.has(compares.list) && compares.of(record));
    const owners = asked.flatMap(({ before }) => (before === null ? [] : [this.#rows.ownerOf(before)]));
    if (owners.length === 0) return new Map();
    const stored = await readChildren(tx, child, owners);
    return new Map(owners.map((owner) => [owner, stored.get(owner) ?? []]));
  }

  async #writeRows(tx: Tx, rows: readonly CompletedRow<C, L>[], source: string, at: number): Promise<WrittenRow<C, L>[]> {
    const { table } = this.#table;
    const columnsOf = ({ before, hash, columns, record, version, searchHash: search_hash }: CompletedRow<C, L>): SyncColumns => ({
      ...(before?.id !== undefined && { id: before.id }),
      ...columns,
      ...this.#table.derivedOf?.(record),
      sync_hash: hash,
      deleted_at: null,
      ...("search_hash" in table.columns && { search_hash }),
      ...("source" in table.columns && { source }),
      ...("version" in table.columns && { version }),
      ...("created_at" in table.columns && { created_at: before?.created_at ?? at }),
      ...("updated_at" in table.columns && { updated_at: at }),
    });
    await this.#rows.overwrite(tx, rows.filter(({ before }) => before !== null).map(columnsOf));
    const ids = await this.#rows.insert(tx, rows.filter(({ before }) => before === null).map(columnsOf));
    return rows.map((row) => ({ ...row, id: row.before?.id ?? ids.get(row.key) ?? 0 }));
  }

  async #writeChildren(tx: Tx, rows: readonly WrittenRow<C, L>[]): Promise<void> {
    for (const [name, child] of this.#children) {
      const changed = rows.filter(({ changedLists }) => changedLists.has(name));
      const lists = changed.map((row) => ({ owner: this.#rows.ownerOf(row), list: row.record.lists[name] ?? [] }));
      // Under an id of the game's, children may be left of a row that somebody removed by hand.
      const mayHaveOlder = ({ before }: WrittenRow<C, L>) => before !== null || !("id" in this.#table.table.columns);
      const known = changed.filter(mayHaveOlder).map((row) => this.#rows.ownerOf(row));
      await replaceChildren(tx, child, lists, known);
    }
  }

  async #index(tx: Tx, rows: readonly WrittenRow<C, L>[]): Promise<void> {
    const { search } = this.#table;
    if (search === undefined) return;
    const documents = rows
      .filter(({ before, searchHash: after }) => before === null || before.deleted_at !== null || before.search_hash !== after)
      .map(({ id, record }) => ({ id, texts: search.textsOf(record) }));
    if (documents.length > 0) await this.#search.put(tx, search.kind, documents);
  }
}
