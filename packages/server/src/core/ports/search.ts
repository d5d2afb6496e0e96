import type { SearchMatch } from "../contract/search.ts";
import type { Tx } from "./database.ts";

/** Text by which an object is found. `weight` 1 is normal; a name outranks a phone number. */
export interface SearchText {
  readonly field: string;
  readonly text: string;
  readonly weight?: number;
  /** Any part of it is found, also without a digit: a plate, not a name. Texts with digits are codes anyway. */
  readonly isCode?: boolean;
}

export interface SearchDocument {
  /** The integer id of the object. */
  readonly id: number;
  readonly texts: readonly SearchText[];
}

export interface SearchHit {
  readonly id: number;
  readonly match: SearchMatch;
  readonly score: number;
}

export interface SearchFound {
  /** Whole words first, then beginnings, then similar ones; in each the best first. */
  readonly hits: readonly SearchHit[];
  /** How many were found of all that match, at least as many as there are hits. */
  readonly total: number;
  /** Whether more may match than `total`. */
  readonly isMore: boolean;
}

/** SQL with its values, as plain data: it is sent to the thread that runs the search. */
export interface SearchSql {
  readonly sql: string;
  readonly params: readonly (string | number | null)[];
}

/** Which objects a viewer may see. A search neither returns nor counts others. */
export interface SearchVisibility {
  /** A condition on the object; `{id}` stands for the column of its id. */
  readonly condition: SearchSql;
  /**
   * A select of `id` that has all objects that fulfil the condition, perhaps with others. Where it has few, their
   * texts are read instead of those of everything that contains the words.
   */
  readonly among?: SearchSql;
}

export interface SearchOptions {
  /** 200 at the most. */
  readonly limit: number;
  /** Narrows the match to these fields. */
  readonly fields?: readonly string[];
  /** Left out where the viewer sees all objects of the kind. */
  readonly visible?: SearchVisibility;
}

/**
 * Typo- and accent-tolerant search over short texts: names in any order, two-letter names, partial plates and phone
 * numbers. The index is written in the object's transaction.
 */
export interface Search {
  /** Replaces the index entries of these objects. */
  put(tx: Tx, kind: string, documents: readonly SearchDocument[]): Promise<void>;
  remove(tx: Tx, kind: string, ids: readonly number[]): Promise<void>;
  find(tx: Tx, kind: string, query: string, options: SearchOptions): Promise<SearchFound>;
  /**
   * A select of `id`: the objects with a code (a text with digits) that may contain this part, perhaps several times.
   * All that contain it are among them; a part of more than six characters is compared up to the sixth. Null if the
   * part is too short for the index.
   */
  containing(kind: string, part: string): SearchSql | null;
}
