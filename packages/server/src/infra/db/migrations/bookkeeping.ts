import { col, defineTable } from "#core/db/table.ts";

/** Applied migrations, with the time; created by the runner before the first migration. */
export const schemaMigrations = defineTable(
  "schema_migrations",
  { name: col.key(100), checksum: col.key(64), applied_at: col.int(), duration_ms: col.int() },
  { primary: ["name"] },
);

/** Completed data steps, including those of migrations that are still running. */
export const schemaSteps = defineTable(
  "schema_steps",
  { migration: col.key(100), step: col.key(60) },
  { primary: ["migration", "step"] },
);

/** The lock for `disableLocking`: one row, acquired by compare-and-set. */
export const schemaLock = defineTable(
  "schema_lock",
  { name: col.key(40), owner: col.key(64), expires_at: col.int() },
  { primary: ["name"] },
);

/** Exists while a backup is restored into MariaDB, when no other process may use the database. */
export const schemaRestore = "schema_restore";
