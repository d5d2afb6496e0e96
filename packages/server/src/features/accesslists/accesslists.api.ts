import type { Viewer } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AccessEntry } from "./accesslists.contract.ts";
import { decide, type Decision, type Entry, type Rules, subjectOf } from "./accesslists.policy.ts";

/** One kind of object that carries access lists, declared by the feature that owns it. */
export interface ObjectKind {
  /** Of `accesslists_entries.object_kind`; the owner's name. */
  readonly kind: string;
  /** Names of its levels in rising order, from the one that lets it be seen; without `blocked`. */
  readonly levels: readonly string[];
  /** The rules of a live object, null when there is none. */
  rules(tx: Tx, id: number): Promise<Rules | null>;
}

/** The access lists of one kind of object. Lists of visible ids come from `visibleIds` of the reads. */
export interface AccessLists {
  readonly levels: readonly string[];
  decide(tx: Tx, viewer: Viewer, id: number, rules: Rules): Promise<Decision>;
  /** In one statement. */
  decideMany(
    tx: Tx,
    viewer: Viewer,
    objects: readonly { readonly id: number; readonly rules: Rules }[],
  ): Promise<Map<number, Decision>>;
  entries(tx: Tx, id: number): Promise<Entry[]>;
  /** As the wire has them. */
  list(tx: Tx, id: number): Promise<AccessEntry[]>;
  /**
   * Replaces the entries of an object. Grades above a job's highest are lowered to it; an empty list of
   * an object that is not public becomes "my job, from my grade, highest level". Throws `AppError` for
   * what cannot be kept and for a list with which the viewer would lose the highest level himself.
   */
  save(tx: Tx, viewer: Viewer, id: number, entries: readonly AccessEntry[], rules: Rules): Promise<Entry[]>;
  /** Removes the lists of objects that are gone for good. */
  forget(tx: Tx, ids: readonly number[]): Promise<void>;
  /** Throws `accesslists.levelMissing`, naming who can grant it, unless the decision reaches `level`. */
  need(tx: Tx, decision: Decision, id: number, level: string): Promise<void>;
}

export interface AccesslistsApi {
  register(kind: ObjectKind): AccessLists;
}

export const accesslistsApi = apiToken<AccesslistsApi>("accesslists");
export { decide, subjectOf };
export type { Decision, Entry, Rules };
