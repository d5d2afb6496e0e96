import type { RemoveOld } from "#core/retention.ts";
import * as repo from "./audit.repo.ts";

/** What the retention of the trail removes. */
export const retentionService = {
  entries: repo.removeEntries,
  postings: repo.removePostings,
  /** When a word was used last is known by the day, and an entry may be using it at this moment. */
  words: async (tx, before, limit) => await repo.removeWords(tx, before - 2 * repo.wordDayMs, limit),
} satisfies Record<string, RemoveOld>;

export type RetentionService = typeof retentionService;
