import type { Actor } from "#core/actor.ts";
import type { Database } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";

/** Notes in the audit trail that the database was brought to this version: the trail's own tables come with it. */
export async function noteMigrations(db: Database, audit: AuditApi, actor: Actor, applied: readonly string[]): Promise<void> {
  await db.write(
    "audit.migrated",
    async (tx) => await audit.record(tx, actor, { action: "system.migrate", info: { applied: applied.join(", ") } }),
  );
}
