import type { SqliteThread } from "./thread.ts";

/** A thread is 15 MB of memory: the next one starts when a statement has waited this long for the others. */
const behindMs = 50;

/**
 * Chooses the reader thread of each snapshot: the least busy one that runs. `threads` are started
 * one after the other, each when all before it are behind.
 */
export function readerChoice(threads: readonly SqliteThread[]): () => SqliteThread {
  let looking = false;

  /** What came while this thread was busy itself is read before an immediate runs, and was not late. */
  function startNextIfBehind(best: SqliteThread): void {
    if (looking || best.behind() < behindMs) return;
    looking = true;
    setImmediate(() => {
      looking = false;
      if (best.behind() >= behindMs) threads.find((thread) => !thread.running)?.start();
    });
  }

  return () => {
    const [first, ...others] = threads.filter(({ running }) => running);
    if (!first) return threads[0]!;
    const best = others.reduce((least, thread) => (thread.waiting < least.waiting ? thread : least), first);
    startNextIfBehind(best);
    return best;
  };
}
