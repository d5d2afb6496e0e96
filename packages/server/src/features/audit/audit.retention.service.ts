import type { Tx } from "#core/ports/index.ts";
import * as repo from "./audit.repo.ts";

/** Removes old rows of the audit log. Instants in milliseconds UTC; each call returns the number of removed rows. */
export class AuditRetention {
  async removeEntries(tx: Tx, before: number, limit: number): Promise<number> {
    return await repo.removeEntries(tx, before, limit);
  }

  async removePostings(tx: Tx, before: number, limit: number): Promise<number> {
    return await repo.removePostings(tx, before, limit);
  }

  /** Two days later: the last use of a word is known only by the day, and an entry may be using it right now. */
  async removeWords(tx: Tx, before: number, limit: number): Promise<number> {
    return await repo.removeWords(tx, before - 2 * repo.wordDayMs, limit);
  }
}
