import type { Actor } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

export interface AuditRecord {
  /** `<feature>.<verb>`, the id of the operation where there is one. */
  readonly action: string;
  readonly result?: "ok" | "denied" | "failed";
  readonly object?: { readonly kind: string; readonly id: string | number };
  readonly before?: unknown;
  readonly after?: unknown;
  readonly info?: unknown;
}

/** Writes the audit trail in the transaction of the change. */
export interface AuditApi {
  record(tx: Tx, actor: Actor, record: AuditRecord): Promise<void>;
  /** For what an outsider can repeat at will: identical records within a minute become one, counted. */
  recordFolded(tx: Tx, actor: Actor, record: AuditRecord): Promise<void>;
}

export const auditApi = apiToken<AuditApi>("audit");
