import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** What makes the key of the setup page differ by database and by start; empty once there is a first admin. */
export const setupNonces = defineTable("setup_nonces", { nonce: col.key(32), made_at: col.int() }, { primary: ["nonce"] });

export interface SetupTables {
  setup_nonces: TableOf<typeof setupNonces>;
}
