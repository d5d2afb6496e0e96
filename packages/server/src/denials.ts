import type { Actor } from "#core/actor.ts";
import type { AppError } from "#core/errors.ts";
import type { Database, Logs } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";

interface NoteParts {
  readonly db: Database;
  readonly logs: Logs;
  readonly audit: AuditApi;
}

/** Notes refusals and failures in the audit trail; equal ones within a minute become one counted entry. */
export function createErrorNotes({ db, logs, audit }: NoteParts) {
  const noteAs = (result: "denied" | "failed") =>
    async function note(actor: Actor, operation: string, error: AppError): Promise<void> {
      try {
        await db.write(`audit.${result}`, async (tx) => {
          const info = { code: error.definition.code, ...error.params };
          await audit.recordFolded(tx, actor, { action: operation, result, info });
        });
      } catch (problem) {
        logs.subsystem("audit").warn({ err: problem, operation, result }, "a refusal or failure could not be noted");
      }
    };
  return { denied: noteAs("denied"), failed: noteAs("failed") };
}
