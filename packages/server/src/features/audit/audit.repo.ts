import type { Insertable } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AuditTables } from "./audit.schema.ts";

export type NewAuditEntry = Insertable<AuditTables["audit_entries"]>;

export async function insertEntry(tx: Tx, entry: NewAuditEntry): Promise<void> {
  await queries<AuditTables>(tx).insertInto("audit_entries").values(entry).execute();
}

/** Counts one more of an identical entry written since `since`; false when there is none. */
export async function foldInto(tx: Tx, entry: NewAuditEntry, since: number): Promise<boolean> {
  const found = await queries<AuditTables>(tx)
    .selectFrom("audit_entries")
    .select("id")
    .where("at", ">=", since)
    .where("action", "=", entry.action)
    .where("result", "=", entry.result)
    .where("actor_kind", "=", entry.actor_kind)
    .where("actor_name", "=", entry.actor_name)
    .where("object_id", entry.object_id == null ? "is" : "=", entry.object_id ?? null)
    .where("address", entry.address == null ? "is" : "=", entry.address ?? null)
    .orderBy("at", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!found) return false;
  await queries<AuditTables>(tx)
    .updateTable("audit_entries")
    .set((set) => ({ folded: set("folded", "+", 1) }))
    .where("id", "=", found.id)
    .execute();
  return true;
}
