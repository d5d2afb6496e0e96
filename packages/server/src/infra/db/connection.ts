import type { DialectAdapter, QueryCompiler } from "kysely";
import type { Dialect } from "#core/db/dialect.ts";
import type { DatabaseKind } from "#core/ports/database.ts";
import { asFailure, type Failure } from "./failure.ts";
import type { ConnectionPool } from "./pool.ts";

export type UnitMode = "read" | "write";

export interface SqlResult {
  readonly rows: Record<string, unknown>[];
  /** Rows matched by an update or delete, stored by an insert; null for a select. */
  readonly affected: number | null;
  /** Id of a single inserted row. */
  readonly insertId: number | null;
}

/** What a procedure returned, and the statements that it ran. */
export interface Called {
  readonly output: unknown;
  readonly statements: readonly { readonly sql: string; readonly ms: number; readonly rows: number }[];
}

/** One connection of either database. Every method rejects with `Failure` only. */
export interface SqlConnection {
  /** False once the connection broke; the pool then drops it. */
  readonly usable: boolean;
  execute(sql: string, params: readonly unknown[]): Promise<SqlResult>;
  /** Runs a procedure where the connection is; null where its statements are sent one by one. */
  readonly call: ((name: string, input: unknown) => Promise<Called>) | null;
  begin(mode: UnitMode): Promise<void>;
  /** True if `begin(mode)` requires no preparation; the pool prefers such connections. */
  suits(mode: UnitMode): boolean;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  close(): Promise<void>;
  /** Called once when the connection breaks while it is idle. */
  onLost(listener: () => void): void;
}

/** A database as used by units of work. */
export interface Engine {
  readonly kind: DatabaseKind;
  readonly dialect: Dialect;
  readonly adapter: DialectAdapter;
  readonly compiler: QueryCompiler;
  readonly readers: ConnectionPool<SqlConnection>;
  /** The same pool as `readers` if any connection may write. */
  readonly writers: ConnectionPool<SqlConnection>;
  /** Collation of `text` columns; null if the database has a fixed one. */
  readonly collation: string | null;
  readonly disableLocking: boolean;
  close(): Promise<void>;
}

/** Called after every attempt to open a connection; null means success. */
export type OpenListener = (failure: Failure | null) => void;

export async function watchOpen<C>(open: () => Promise<C>, listener: OpenListener): Promise<C> {
  try {
    const connection = await open();
    listener(null);
    return connection;
  } catch (error) {
    const failure = asFailure(error);
    listener(failure);
    throw failure;
  }
}
