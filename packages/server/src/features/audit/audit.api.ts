import type { Actor } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AuditRow } from "./audit.contract.ts";

/** A person whom an entry concerns: a citizen's or an account's id. */
export interface AuditTarget {
  readonly kind: "citizen" | "account";
  readonly id: number;
  /** The current name; the entry keeps it. */
  readonly name?: string;
}

export interface AuditRecord {
  /** `<feature>.<verb>`: the id of the operation or schedule, or one of the `actions` of a feature's contract; anything else throws. */
  readonly action: string;
  readonly result?: "ok" | "denied" | "failed";
  /** Its kind is one of the `objects` of a feature's contract; anything else throws. */
  readonly object?: {
    readonly kind: string;
    readonly id: string | number;
    /** The current name, by which the entry is found. The entry keeps it, except of a person, whose name is the target's. */
    readonly name?: string;
  };
  /** When left out, the object itself if it is an `account` or a `citizen`. */
  readonly target?: AuditTarget;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly info?: unknown;
}

/** Which records are counted. */
export interface AuditCountQuestion {
  readonly actions: readonly string[];
  readonly result: "ok" | "denied" | "failed";
  /** Milliseconds UTC, both included. */
  readonly from: number;
  readonly to: number;
  /** Values of `info.why`; records with another one, or without, are not counted. */
  readonly reasons: readonly string[];
}

/** Numbers of records by time and reason. */
export interface AuditCounts {
  /** `at` is the beginning of a quarter of an hour, UTC. */
  readonly counts: readonly { readonly at: number; readonly why: string; readonly count: number }[];
  /** From where on all records are counted, when there were too many for the whole time; else null. */
  readonly since: number | null;
}

/** Writes the audit log, and counts what stands in it. */
export interface AuditApi {
  /** In the unit of work of the change. */
  record(tx: Tx, actor: Actor, record: AuditRecord): Promise<void>;
  /** For what anonymous clients can repeat at will: identical records within a minute become one, counted `times` (1). */
  recordFolded(tx: Tx, actor: Actor, record: AuditRecord, times?: number): Promise<void>;
  /**
   * A refusal that anonymous clients can cause at will, outside any unit of work. One entry stands for
   * all refusals of a minute about the same object from the same network, which is its address; their
   * number is added when the minute is over. Beyond a few entries a minute about one object, the
   * others about it share one without an address. Beyond a few hundred about all objects, the others
   * share one per network without an object, and beyond a few of these, one without either. An entry
   * without an object is not found by its words.
   */
  noteRefused(actor: Actor, record: AuditRecord): Promise<void>;
  /**
   * A viewer opened an object, outside any unit of work. The views of one object by one viewer within
   * an hour are one counted entry. It is written before the first view is answered, and before views at the
   * same instant are; repeated views are added every minute, and what a process that is killed did not add is lost.
   */
  noteView(actor: Actor, record: AuditRecord): Promise<void>;
  /** The newest records of every job and person that match: only for callers who may see the whole audit log. */
  latest(
    tx: Tx,
    question: { readonly q?: string; readonly action?: string; readonly limit: number },
  ): Promise<readonly AuditRow[]>;
  /** The same. */
  countByReason(tx: Tx, question: AuditCountQuestion): Promise<AuditCounts>;
}

export const auditApi = apiToken<AuditApi>("audit");
