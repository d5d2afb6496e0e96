import type { Clock, Database, Log } from "#core/ports/index.ts";
import { WriteBehind } from "#core/write-behind.ts";
import * as repo from "./panic.repo.ts";

export interface SeenDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

/** The last place of each panic is stored this often, so that a process that is killed loses no more. Milliseconds. */
const seenEveryMs = 10_000;

/** Stores where those who pressed were last: the places that are shown live live in memory alone. */
export class LastPlaces {
  readonly #waiting: WriteBehind<number, repo.SeenPlace>;

  constructor({ db, clock, log }: SeenDeps) {
    this.#waiting = new WriteBehind({
      clock,
      everyMs: seenEveryMs,
      write: async (places) =>
        await db.write("panic.seen", async (tx) => {
          for (const [id, place] of [...places].toSorted(([a], [b]) => a - b)) await repo.saveSeen(tx, id, place);
        }),
      failed: (error, panics) =>
        log.warn({ err: error, panics }, "last places of panics were not stored; they are stored with the next"),
    });
  }

  put(id: number, place: repo.SeenPlace): void {
    this.#waiting.put(id, place);
  }

  /** Where nobody is followed any more, nothing else would have it stored soon. Does not throw. */
  async flush(): Promise<void> {
    await this.#waiting.flush();
  }

  async stop(): Promise<void> {
    await this.#waiting.stop();
  }
}
