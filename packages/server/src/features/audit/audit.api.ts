import type { Actor } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AuditKind } from "./audit.contract.ts";

/** A person whom an entry concerns: a citizen's or an account's id. */
export interface AuditTarget {
  readonly kind: "citizen" | "account";
  readonly id: number;
  /** As it is now; entries keep it. */
  readonly name?: string;
}

export interface AuditRecord {
  /** `<feature>.<verb>`: the id of the operation or job, or one of the `actions` of a feature's contract; anything else throws. */
  readonly action: string;
  readonly result?: "ok" | "denied" | "failed";
  readonly object?: { readonly kind: AuditKind; readonly id: string | number };
  /** The object itself when left out and it is an `account` or a `citizen`. */
  readonly target?: AuditTarget;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly info?: unknown;
}

/** Writes the audit trail in the transaction of the change. */
export interface AuditApi {
  record(tx: Tx, actor: Actor, record: AuditRecord): Promise<void>;
  /** For what an outsider can repeat at will: identical records within a minute become one, counted. */
  recordFolded(tx: Tx, actor: Actor, record: AuditRecord): Promise<void>;
  /**
   * Somebody looked at an object, outside any unit of work. Looks of one viewer at one object within
   * an hour are one counted entry; it stands before the first look is answered, repeated looks are
   * added to it every minute.
   */
  noteView(actor: Actor, record: AuditRecord): Promise<void>;
}

export const auditApi = apiToken<AuditApi>("audit");
