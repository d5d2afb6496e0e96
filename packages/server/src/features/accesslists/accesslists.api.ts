import type { Viewer } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AccessEntry } from "./accesslists.contract.ts";
import type { Decision, Entry, Rules, Subject } from "./accesslists.policy.ts";
import type { InJob } from "./accesslists.principals.policy.ts";

/** One kind of object that carries access lists, declared by the feature that owns it. */
export interface ObjectKind {
  /** Value of `accesslists_entries.object_kind`: the name of the owning feature. */
  readonly kind: string;
  /** Names of its levels in rising order, without `blocked`; the first one allows to view. */
  readonly levels: readonly string[];
  /** The rules of a live object, null when there is none. */
  rules(tx: Tx, id: number): Promise<Rules | null>;
}

/**
 * A kind of principal besides citizens, jobs and the public. Until its feature registers it, access lists refuse
 * entries of this kind.
 */
export interface PrincipalKind {
  readonly subject: "group" | "qualification";
  /** Ids that a viewer holds, from memory. */
  heldBy(viewer: Viewer): readonly number[];
  /** Ids that another character holds. */
  heldByOther(tx: Tx, who: InJob): Promise<readonly number[]>;
  /** Those of which the viewer may not know whether another character holds them. */
  hiddenOf(tx: Tx, viewer: Viewer, who: InJob, ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** The names of those that exist. */
  names(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Those that the viewer may name in a list. */
  nameable(tx: Tx, viewer: Viewer, ids: readonly number[]): Promise<ReadonlySet<number>>;
}

/** The access lists of one kind of object. Pages of what a viewer may see come from `visibleTo` of the reads, and searches from `searchableBy`. */
export interface AccessLists {
  readonly levels: readonly string[];
  /** What a viewer is in access lists. */
  subjectOf(viewer: Viewer): Subject;
  decide(tx: Tx, viewer: Viewer, id: number, rules: Rules): Promise<Decision>;
  /** With one statement for all objects. */
  decideMany(
    tx: Tx,
    viewer: Viewer,
    objects: readonly { readonly id: number; readonly rules: Rules }[],
  ): Promise<Map<number, Decision>>;
  entries(tx: Tx, id: number): Promise<Entry[]>;
  /** The entries as the contract sends them. */
  list(tx: Tx, id: number): Promise<AccessEntry[]>;
  /**
   * Replaces the entries of an object. Grades above a job's highest are lowered to it; an empty list of
   * an object that is not public becomes "my job, from my grade, highest level". Throws `AppError` for
   * invalid entries, for citizens that the viewer may not name, and for a list by which the viewer would
   * lose the highest level.
   */
  save(tx: Tx, viewer: Viewer, id: number, entries: readonly AccessEntry[], rules: Rules): Promise<Entry[]>;
  /** Removes the lists of purged objects. */
  remove(tx: Tx, ids: readonly number[]): Promise<void>;
  /** Throws `accesslists.levelMissing` with the names of grantors, unless the decision reaches `level`. */
  requireLevel(tx: Tx, viewer: Viewer, decision: Decision, id: number, level: string): Promise<void>;
}

export interface AccesslistsApi {
  register(kind: ObjectKind): AccessLists;
  registerPrincipals(kind: PrincipalKind): void;
}

export const accesslistsApi = apiToken<AccesslistsApi>("accesslists");
export { accessChangeOf, accessListTopic } from "./accesslists.live.policy.ts";
export type { Decision, Entry, Rules, Subject };
