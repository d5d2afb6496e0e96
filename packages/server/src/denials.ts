import type { Actor } from "#core/actor.ts";
import type { AppError } from "#core/errors.ts";
import type { Database, Logs } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";

/** Notes refusals in the audit trail; equal ones within a minute become one counted entry. */
export function createDenialNote({ db, logs, audit }: { readonly db: Database; readonly logs: Logs; readonly audit: AuditApi }) {
  return async function denied(actor: Actor, operation: string, error: AppError): Promise<void> {
    try {
      await db.write("audit.denied", async (tx) => {
        const info = { code: error.definition.code, ...error.params };
        await audit.recordFolded(tx, actor, { action: operation, result: "denied", info });
      });
    } catch (problem) {
      logs.subsystem("audit").warn({ err: problem, operation }, "a refusal could not be noted");
    }
  };
}
