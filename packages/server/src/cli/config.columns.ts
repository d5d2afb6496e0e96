import { existsSync } from "node:fs";
import type { Finding, LoadedConfig } from "#config/index.ts";
import { type ColumnTrouble, type CustomColumn, columnTrouble, isAdded } from "#core/custom-columns.ts";
import type { Log } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createDatabase } from "#infra/db/database.ts";
import { createMetrics } from "#infra/telemetry/metrics.ts";
import { customColumnsOf, type ExaminedColumns, examineColumns } from "#app/custom-columns.ts";

const nothing = () => undefined;
const silent: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

export interface ColumnFindings {
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
}

async function examine({ config }: LoadedConfig): Promise<ExaminedColumns> {
  const { dsn, disableLocking } = config.database;
  // Opening a missing file would create it.
  if (dsn.kind === "sqlite" && !existsSync(dsn.file)) throw new Error(`${dsn.file} does not exist yet`);
  const pool = { maxOpenConns: 1, maxIdleConns: 1, connMaxIdleTimeMs: 0, connMaxLifetimeMs: 0 };
  const metrics = createMetrics({ process: false });
  const db = createDatabase({ dsn, pool, disableLocking, log: silent, clock: systemClock, metrics });
  try {
    await db.ping();
    return await examineColumns(db, config);
  } finally {
    await db.close();
  }
}

/**
 * Validates `database.custom.columns`. Columns that operators added are looked up in the database; if it
 * is unavailable, each is a warning.
 */
export async function checkColumns(loaded: LoadedConfig): Promise<ColumnFindings> {
  const found = (column: CustomColumn, trouble: ColumnTrouble): Finding => {
    const path = `database.custom.columns.${column.option}`;
    return { path, ...trouble, place: loaded.sources.find((source) => source.path === path)?.place ?? { kind: "default" } };
  };
  const unchecked = (columns: readonly CustomColumn[], reason: string) =>
    columns.map((column) =>
      found(column, {
        what: `could not be checked: ${reason}`,
        instead: "run rollcall config check again when the database is available",
      }),
    );
  const columns = customColumnsOf(loaded.config);
  const added = columns.filter(isAdded);
  const problems = columns.flatMap((column) => {
    const trouble = isAdded(column) ? null : columnTrouble(column, new Map());
    return trouble === null ? [] : [found(column, trouble)];
  });
  if (added.length === 0) return { problems, warnings: [] };
  try {
    const { refused, unknown } = await examine(loaded);
    const others = refused.filter(({ column }) => isAdded(column)).map(({ column, trouble }) => found(column, trouble));
    const warnings = unchecked(unknown, "the database has no tables yet, rollcall migrate creates them");
    return { problems: [...problems, ...others], warnings };
  } catch (error) {
    return { problems, warnings: unchecked(added, (error as Error).message) };
  }
}
