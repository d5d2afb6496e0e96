import { ForeignNames, type OwnObjects, thumbnailKey, wholeKey } from "#core/own-objects.ts";
import type { Clock, Database, Log, Search, Storage, StoredObject, Tx } from "#core/ports/index.ts";
import { filesSearchKind } from "./files.policy.ts";
import * as repo from "./files.repo.ts";

/** How long an orphan (orphaned upload) is kept. */
export const graceMs = 24 * 60 * 60_000;
const chunkSize = 100;

export interface CleanDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly search: Search;
  readonly storage: Storage;
  readonly own: OwnObjects;
}

/** Removes orphaned files, and objects without a file, once their grace period is over. */
export class FilesCleaner {
  readonly #deps: CleanDeps;

  constructor(deps: CleanDeps) {
    this.#deps = deps;
  }

  /** Files that are orphaned since before this instant; returns how many. */
  async markOrphansDeleted(tx: Tx, before: number, limit: number): Promise<number> {
    const ids = await repo.findOrphaned(tx, before, limit);
    if (ids.length === 0) return 0;
    await repo.markDeleted(tx, ids, this.#deps.clock.now());
    await this.#deps.search.remove(tx, filesSearchKind, ids);
    return ids.length;
  }

  /** Removes the objects first, so that no object is ever left without its row. */
  async purgeDeleted(before: number, limit: number): Promise<number> {
    const { db, storage } = this.#deps;
    const rows = await db.read("files.deleted", async (tx) => await repo.findDeleted(tx, before, limit));
    for (const { object_key, thumbnail_size } of rows) {
      await storage.remove(object_key);
      if (thumbnail_size > 0) await storage.remove(thumbnailKey(object_key));
    }
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await db.write("files.forget", async (tx) => await repo.purge(tx, ids));
    return ids.length;
  }

  /** Removes objects of Rollcall without a row, which killed uploads leave behind. */
  async sweep(signal: AbortSignal): Promise<void> {
    const { clock, log, storage, own } = this.#deps;
    const foreign = new ForeignNames();
    let removed = await storage.clean((key) => own.owns(key));
    const before = clock.now() - graceMs;
    let chunk: StoredObject[] = [];
    for await (const object of own.list(storage, foreign)) {
      if (signal.aborted) return;
      if (object.modifiedAt >= before || chunk.push(object) < chunkSize) continue;
      removed += await this.#removeOrphans(chunk);
      chunk = [];
    }
    removed += await this.#removeOrphans(chunk);
    for await (const { key, modifiedAt } of own.probes(storage))
      if (modifiedAt < before) removed += (await storage.remove(key)) ? 1 : 0;
    if (removed > 0) log.info({ removed }, "removed objects that belong to no file");
    if (foreign.count > 0)
      log.info({ foreign: foreign.count }, `kept objects in the storage that Rollcall did not create: ${foreign.names}`);
  }

  /** Removes those of these objects that no row knows; returns how many. */
  async #removeOrphans(objects: readonly StoredObject[]): Promise<number> {
    const { db, storage } = this.#deps;
    const wholeKeys = objects.map(({ key }) => wholeKey(key));
    const known = await db.read("files.known", async (tx) => await repo.findByKeys(tx, wholeKeys));
    let removed = 0;
    for (const { key } of objects) if (!known.has(wholeKey(key))) removed += (await storage.remove(key)) ? 1 : 0;
    return removed;
  }
}
