import type { Actor } from "#core/actor.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Search, Tx } from "#core/ports/index.ts";
import { BoundedMap } from "#core/recent.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SyncApi } from "./sync.api.ts";
import type { BatchItem } from "./sync.batch.api.ts";
import type { BatchResult } from "./sync.contract.ts";
import type { GameTable, SyncColumns, SyncLists, SyncSource, SyncTable } from "./sync.table.api.ts";
import { changedLists, digestOf, eventChunks, isComplete, rowHash } from "./sync.table.policy.ts";
import { type StoredRow, SyncTableRepo } from "./sync.table.repo.ts";
import { type ChangedRow, SyncTableWriter } from "./sync.table.write.service.ts";

const removedAtOnce = 500;
const mostListDigests = 5000;

export interface SyncTableDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly search: Search;
  readonly audit: AuditApi;
  readonly applyBatch: SyncApi["applyBatch"];
}

/**
 * Receives what the game sends for one table. Unchanged rows cost one read; changed rows cost a few bulk
 * statements, and one read for each list that items left out.
 */
export class SyncTableService<Item extends object, C extends SyncColumns, L extends SyncLists, Change> implements GameTable {
  readonly #deps: SyncTableDeps;
  readonly #table: SyncTable<Item, C, L, Change>;
  readonly #rows: SyncTableRepo<C>;
  readonly #writer: SyncTableWriter<C, L, Change>;
  readonly #lists: readonly string[];
  /** Digests of lists by their JSON: many citizens have the same jobs and licences. */
  readonly #listDigests = new BoundedMap<string, string>(mostListDigests);

  constructor(deps: SyncTableDeps, table: SyncTable<Item, C, L, Change>) {
    this.#deps = deps;
    this.#table = table;
    this.#rows = new SyncTableRepo<C>(table.table, table.key);
    this.#writer = new SyncTableWriter<C, L, Change>(deps.search, table, this.#rows);
    this.#lists = Object.keys(table.children ?? {});
  }

  get kind() {
    return this.#table.kind;
  }

  async count(tx: Tx): Promise<number> {
    return await this.#rows.countLive(tx);
  }

  async liveIds(tx: Tx, after: string, limit: number): Promise<string[]> {
    return await this.#rows.liveKeys(tx, after, limit);
  }

  async sync(call: CallContext, body: SyncSource & { readonly items: readonly unknown[] }): Promise<BatchResult> {
    const { kind, sync } = this.#table;
    const source = body.source ?? "default";
    return await this.#deps.applyBatch<Item>(call, {
      ...sync,
      kind,
      source,
      items: body.items,
      differs: async (tx, items) => await this.#differs(tx, await this.#meant(tx, items)),
      apply: async (tx, items) => await this.#apply(tx, await this.#meant(tx, items), source),
    });
  }

  async delete(call: CallContext, body: SyncSource, ids: readonly string[]): Promise<BatchResult> {
    const { kind, deletion } = this.#table;
    return await this.#deps.applyBatch<string>(call, {
      kind,
      source: body.source ?? "default",
      action: deletion.action,
      schema: deletion.schema,
      items: ids,
      idOf: (id) => id,
      apply: async (tx, items) =>
        await this.#markDeleted(
          tx,
          items.map(({ id }) => id),
        ),
    });
  }

  async remove(actor: Actor, ids: readonly string[]): Promise<number> {
    const { action, kind } = this.#table.removal;
    let removed = 0;
    for (let from = 0; from < ids.length; from += removedAtOnce) {
      removed += await this.#deps.db.write(action, async (tx) => {
        const count = await this.#markDeleted(tx, ids.slice(from, from + removedAtOnce));
        if (count > 0) await this.#deps.audit.record(tx, actor, { action, object: { kind, id: "manifest" }, info: { count } });
        return count;
      });
    }
    return removed;
  }

  async #meant(tx: Tx, items: readonly BatchItem<Item>[]): Promise<readonly BatchItem<Item>[]> {
    const meant = await this.#table.meantBy?.(tx);
    return meant === undefined ? items : items.map((one) => ({ ...one, item: meant(one.item) }));
  }

  async #differs(tx: Tx, items: readonly BatchItem<Item>[]): Promise<boolean> {
    const keys = items.map(({ id }) => id);
    const live = await this.#rows.readLive(tx, keys, this.#columnsNeeded(items));
    return items.some((one) => this.#changeOf(one, live.get(one.id) ?? null) !== null);
  }

  async #apply(tx: Tx, items: readonly BatchItem<Item>[], source: string): Promise<number> {
    const at = this.#deps.clock.now();
    const keys = items.map(({ id }) => id);
    const known = await this.#rows.lock(tx, keys, this.#columnsCompared(items));
    const changed = items.flatMap((one) => this.#changeOf(one, known.get(one.id) ?? null) ?? []);
    if (changed.length > 0) await this.#writer.write(tx, changed, source, at);
    return changed.length;
  }

  /** Names of the columns that have to be read: none when every item names all of its fields. */
  #columnsNeeded(items: readonly BatchItem<Item>[]): readonly string[] {
    const { schema } = this.#table.sync;
    const partial = items.find(({ item }) => !isComplete(schema, item));
    return partial === undefined ? [] : Object.keys(this.#table.recordOf(partial.item, null).columns);
  }

  /** Names of the columns to lock: all when an event names those that changed. */
  #columnsCompared(items: readonly BatchItem<Item>[]): readonly string[] {
    const [first] = items;
    if (this.#table.event === undefined || first === undefined) return this.#columnsNeeded(items);
    return Object.keys(this.#table.recordOf(first.item, null).columns);
  }

  /** Null when everything is stored as the item says. */
  #changeOf({ id: key, item }: BatchItem<Item>, before: StoredRow<C> | null): ChangedRow<C, L> | null {
    const { storedAs } = this.#table;
    const { columns, lists: sent } = this.#table.recordOf(item, before?.columns ?? null);
    const named: Partial<SyncLists> = sent;
    const lists = this.#lists.map((name) => named[name]);
    const stored = before?.sync_hash ?? null;
    const hash = rowHash({ storedAs, columns, lists, before: stored }, (text) => this.#listDigest(text));
    if (before !== null && before.deleted_at === null && stored === hash) return null;
    return { key, before, columns, sent, hash, changedLists: changedLists(this.#lists, stored, hash) };
  }

  #listDigest(text: string): string {
    const known = this.#listDigests.get(text);
    if (known !== undefined) return known;
    const digest = digestOf(text);
    this.#listDigests.set(text, digest);
    return digest;
  }

  /** Marks the rows with these keys as deleted unless they are already; returns how many it marked. */
  async #markDeleted(tx: Tx, keys: readonly string[]): Promise<number> {
    const { search, event } = this.#table;
    const at = this.#deps.clock.now();
    const live = [...(await this.#rows.lock(tx, keys)).values()].filter((row) => row.deleted_at === null);
    if (live.length === 0) return 0;
    await this.#rows.markDeleted(tx, live, at);
    if (search)
      await this.#deps.search.remove(
        tx,
        search.kind,
        live.flatMap(({ id }) => id ?? []),
      );
    if (event) {
      const removed = live.map(({ id = 0, key, version = 0 }) => event.removalOf({ id, key, version: version + 1 }, at));
      for (const chunk of eventChunks(removed)) await event.emit(tx, chunk, at);
    }
    return live.length;
  }
}
