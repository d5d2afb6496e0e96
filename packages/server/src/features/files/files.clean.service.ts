import type { Clock, Database, Log, Search, Storage, StoredObject, Tx } from "#core/ports/index.ts";
import * as repo from "./files.repo.ts";
import { filesSearchKind, thumbnailKey } from "./files.service.ts";

/** What nothing refers to is kept this long. */
export const graceMs = 24 * 60 * 60_000;
const step = 100;

export interface CleanDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly search: Search;
  readonly storage: Storage;
}

/** Takes away what nobody refers to, never before its time. */
export function createFilesCleaner(deps: CleanDeps) {
  const { db, storage } = deps;

  /** Loose for longer than the grace: deleted from now on. */
  async function condemn(tx: Tx, before: number, limit: number): Promise<number> {
    const ids = await repo.findLoose(tx, before, limit);
    if (ids.length === 0) return 0;
    await repo.markDeleted(tx, ids, deps.clock.now());
    await deps.search.remove(tx, filesSearchKind, ids);
    return ids.length;
  }

  /** Objects first, then the rows: a row is forgotten once nothing of it lies anywhere. */
  async function bury(before: number, limit: number): Promise<number> {
    const rows = await db.read("files.deleted", async (tx) => await repo.findDeleted(tx, before, limit));
    for (const { object_key, thumbnail_size } of rows) {
      await storage.remove(object_key);
      if (thumbnail_size > 0) await storage.remove(thumbnailKey(object_key));
    }
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await db.write("files.forget", async (tx) => await repo.forget(tx, ids));
    return ids.length;
  }

  /** Objects of a page that no row knows. */
  async function strangers(page: readonly StoredObject[]): Promise<StoredObject[]> {
    const wholeKey = (key: string) => key.replace(/-t$/, "");
    const known = await db.read(
      "files.known",
      async (tx) =>
        await repo.known(
          tx,
          page.map(({ key }) => wholeKey(key)),
        ),
    );
    return page.filter(({ key }) => !known.has(wholeKey(key)));
  }

  return {
    condemn,
    bury,

    /** Goes through everything stored; objects without a row are of uploads that were killed. */
    async sweep(signal: AbortSignal): Promise<void> {
      let removed = await storage.clean();
      const before = deps.clock.now() - graceMs;
      let page: StoredObject[] = [];
      const turn = async () => {
        for (const { key } of await strangers(page)) removed += (await storage.remove(key)) ? 1 : 0;
        page = [];
      };
      for await (const object of storage.list("")) {
        if (signal.aborted) return;
        if (object.modifiedAt < before && page.push(object) === step) await turn();
      }
      await turn();
      if (removed > 0) deps.log.info({ removed }, "removed objects that belong to no file");
    },
  };
}

export type FilesCleaner = ReturnType<typeof createFilesCleaner>;
