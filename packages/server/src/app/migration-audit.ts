import type { Actor } from "#core/actor.ts";
import type { Database } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";

/** Records in the audit log that the schema was migrated. After the migration, because it creates the tables of the log. */
export async function auditMigrations(db: Database, audit: AuditApi, actor: Actor, applied: readonly string[]): Promise<void> {
  await db.write(
    "audit.migrated",
    async (tx) => await audit.record(tx, actor, { action: "system.migrate", info: { applied: applied.join(", ") } }),
  );
}
