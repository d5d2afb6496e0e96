import type { Column, Table } from "#core/db/table.ts";
import type { Tx } from "#core/ports/database.ts";

/** Everything that a migration file may import comes from here. */
export { sql } from "kysely";
export { dialectOf, queries } from "#core/db/queries.ts";
export { col, defineTable } from "#core/db/table.ts";
export type { TableOf } from "#core/db/table.ts";

/**
 * Steps of a migration. Each does nothing when its effect is already there, because on MariaDB a
 * crash leaves the steps before it done.
 */
export interface Steps {
  createTable(table: Table): Promise<void>;
  dropTable(name: string): Promise<void>;
  /** The column must be nullable or have a default: the rows of the release before have no value. */
  addColumn(table: string, name: string, column: Column): Promise<void>;
  dropColumn(table: string, name: string): Promise<void>;
  addIndex(table: string, name: string, columns: readonly string[], options?: { unique?: boolean }): Promise<void>;
  dropIndex(table: string, name: string): Promise<void>;
  /**
   * Changes rows, once: `step` names it within the migration. Answer `"more"` to commit and be
   * called again (large tables), nothing when done.
   */
  runData(step: string, work: (tx: Tx) => Promise<void | "more">): Promise<void>;
}

export type Migration = (steps: Steps) => Promise<void>;

/** `export default migration(async (steps) => { ... })` in `YYYYMMDDHHMM_feature_what.ts`. */
export function migration(up: Migration): Migration {
  return up;
}
