import type { Column, Table } from "#core/db/table.ts";
import type { Tx } from "#core/ports/database.ts";

/** Migration files may import only from here. */
export { sql } from "kysely";
export { dialectOf, queries } from "#core/db/queries.ts";
export { col, defineTable } from "#core/db/table.ts";
export type { TableOf } from "#core/db/table.ts";

/**
 * Steps of a migration. Each does nothing if its effect exists already, because on MariaDB the steps
 * before a crash stay applied.
 */
export interface Steps {
  createTable(table: Table): Promise<void>;
  dropTable(name: string): Promise<void>;
  /** The column must be nullable or have a default, because existing rows have no value. */
  addColumn(table: string, name: string, column: Column): Promise<void>;
  dropColumn(table: string, name: string): Promise<void>;
  addIndex(table: string, name: string, columns: readonly string[], options?: { unique?: boolean }): Promise<void>;
  dropIndex(table: string, name: string): Promise<void>;
  /**
   * Changes rows, once; `step` is its name within the migration. Return `"more"` to commit and be called
   * again (large tables), nothing when done.
   */
  runData(step: string, work: (tx: Tx) => Promise<void | "more">): Promise<void>;
}

export type Migration = (steps: Steps) => Promise<void>;

/** `export default migration(async (steps) => { ... })` in `YYYYMMDDHHMM_feature_what.ts`. */
export function migration(up: Migration): Migration {
  return up;
}
