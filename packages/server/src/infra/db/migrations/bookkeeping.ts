import { col, defineTable } from "#core/db/table.ts";

/** What was applied, and when: made by the runner before any migration. */
export const schemaMigrations = defineTable(
  "schema_migrations",
  { name: col.key(100), checksum: col.key(64), applied_at: col.int(), duration_ms: col.int() },
  { primary: ["name"] },
);

/** Data steps that are done, of migrations that may still be running. */
export const schemaSteps = defineTable(
  "schema_steps",
  { migration: col.key(100), step: col.key(60) },
  { primary: ["migration", "step"] },
);

/** The lock of `disableLocking`: one row, taken by compare-and-set. */
export const schemaLock = defineTable(
  "schema_lock",
  { name: col.key(40), owner: col.key(64), expires_at: col.int() },
  { primary: ["name"] },
);

/** There while a backup is restored into MariaDB: nobody may use what is half there. */
export const schemaRestore = "schema_restore";
