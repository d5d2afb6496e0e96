import type { Database } from "#core/ports/index.ts";

/**
 * A database that knows when nothing uses it: tests that move a clock wait for that first, because statements
 * take real time in which the clock stands still.
 */
export interface WatchedDatabase extends Database {
  idle(): Promise<void>;
}

/** A unit of work that itself waits for the clock must not stop it. */
const longestMs = 250;

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

export function watchDatabase(db: Database): WatchedDatabase {
  let open = 0;
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    open += 1;
    return await work.finally(() => (open -= 1));
  };
  return {
    kind: db.kind,
    now: async (tx) => await db.now(tx),
    read: async (name, work) => await counted(db.read(name, work)),
    write: async (name, work) => await counted(db.write(name, work)),
    state: () => db.state(),
    onStateChange: (listener) => db.onStateChange(listener),
    ping: async () => await db.ping(),
    close: async () => await db.close(),
    async idle() {
      const end = performance.now() + longestMs;
      for (let quiet = 0; quiet < 4 && performance.now() < end; quiet = open === 0 ? quiet + 1 : 0) await turn();
    },
  };
}
