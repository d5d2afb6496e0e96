import type { Tx } from "./database.ts";

/** Text by which an object is found. `weight` 1 is normal; a name outranks a phone number. */
export interface SearchText {
  readonly field: string;
  readonly text: string;
  readonly weight?: number;
}

export interface SearchDocument {
  /** The integer id of the object. */
  readonly id: number;
  readonly texts: readonly SearchText[];
}

export interface SearchHit {
  readonly id: number;
  readonly score: number;
}

/**
 * Typo- and accent-tolerant search over short texts: names in any order, two-letter names, partial
 * plates and phone numbers. One table of normalised trigrams, written in the object's transaction.
 */
export interface Search {
  /** Replaces the index entries of these objects. */
  put(tx: Tx, kind: string, documents: readonly SearchDocument[]): Promise<void>;
  remove(tx: Tx, kind: string, ids: readonly number[]): Promise<void>;
  /** Best first, at most `limit` (200 at the most). `fields` narrows the match to these fields. */
  find(tx: Tx, kind: string, query: string, options: { limit: number; fields?: readonly string[] }): Promise<SearchHit[]>;
}
