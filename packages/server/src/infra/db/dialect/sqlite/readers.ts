import type { SqliteThread } from "./thread.ts";

/** A thread takes 15 MB of memory, so the next one starts only when a statement has waited this long. */
const behindMs = 50;

/**
 * Chooses the reader thread of each snapshot: the least busy running one. `threads` are started one after
 * the other, each when all running ones are behind.
 */
export function readerChoice(threads: readonly SqliteThread[]): () => SqliteThread {
  let looking = false;

  /** Answers that arrived while the main thread was busy are processed before an immediate, and were not late. */
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
