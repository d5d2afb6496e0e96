import {
  DefaultQueryExecutor,
  Kysely,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from "kysely";
import { NestedUnitOfWork, StatementFailed } from "#core/db/errors.ts";
import type { Procedure, ProcedureRow } from "#core/db/procedure.ts";
import { bindTx } from "#core/db/queries.ts";
import type { DatabaseKind, Tx } from "#core/ports/database.ts";
import type { Engine, SqlConnection, SqlResult, UnitMode } from "./connection.ts";
import { asFailure, type Failure } from "./failure.ts";

export interface StatementEvent {
  /** Name of the unit of work or snapshot. */
  readonly unit: string;
  /** Its transaction; `afterCommit` tells whether the statement counted. */
  readonly tx: Tx;
  readonly mode: UnitMode;
  /** The statement with placeholders, never with values. */
  readonly sql: string;
  readonly ms: number;
  /** Rows read or changed. */
  readonly rows: number;
  readonly failed: boolean;
}

export interface UnitOptions {
  readonly engine: Engine;
  readonly connection: SqlConnection;
  readonly name: string;
  readonly mode: UnitMode;
  /** Monotonic milliseconds, before the transaction began. */
  readonly began: number;
  readonly monotonic: () => number;
  readonly onStatement: (event: StatementEvent) => void;
  /** Adds the shape of a failed statement to its error. */
  readonly showStatements: boolean;
}

/** One attempt of a unit of work: the `Tx` for callers, bound to one connection. */
export interface Unit {
  readonly tx: Tx;
  readonly actions: readonly (() => void)[];
  /** Set once the transaction cannot be committed; every later statement fails with it. */
  failure(): Failure | null;
  /** After this the `Tx` refuses statements. */
  end(): void;
}

const refuse = () => {
  throw new NestedUnitOfWork("a unit of work is one transaction: do not begin another with the query builder");
};

const noDriver: Driver = {
  init: () => Promise.resolve(),
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: refuse,
  destroy: () => Promise.resolve(),
};

function toKysely<R>(result: SqlResult): QueryResult<R> {
  return {
    rows: result.rows as R[],
    ...(result.affected === null ? {} : { numAffectedRows: BigInt(result.affected) }),
    ...(result.insertId === null ? {} : { insertId: BigInt(result.insertId) }),
  };
}

async function callHere(
  procedure: Procedure<unknown, unknown>,
  kind: DatabaseKind,
  input: unknown,
  run: (sql: string, params: readonly unknown[]) => Promise<SqlResult>,
): Promise<unknown> {
  const steps = procedure.run(kind, input);
  let step = steps.next();
  while (step.done !== true) {
    const { rows } = await run(step.value.sql, step.value.params);
    step = steps.next(rows as ProcedureRow[]);
  }
  return step.value;
}

export function startUnit(options: UnitOptions): Unit {
  const { engine, connection, name, mode, monotonic, onStatement } = options;
  const actions: (() => void)[] = [];
  let failure: Failure | null = null;
  let ended = false;

  const requireOpen = () => {
    if (ended) throw new Error(`the unit of work ${name} has ended: await every statement before it returns`);
    if (failure) throw failure.seen;
  };

  const refusalOf = (error: unknown, sql: string): Error => {
    const failed = asFailure(error);
    // The database may have rolled back: a further write would be outside a transaction.
    if (failed.kind !== "statement") failure ??= failed;
    if (options.showStatements && failed.seen instanceof StatementFailed) failed.seen.statement = sql;
    // The driver's stack ends at its socket; this one includes the caller.
    Error.captureStackTrace(failed.seen, refusalOf);
    return failed.seen;
  };

  const run = async (sql: string, parameters: readonly unknown[]): Promise<SqlResult> => {
    requireOpen();
    const started = monotonic();
    const observe = (rows: number, failed: boolean) =>
      onStatement({ unit: name, tx, mode, sql, ms: monotonic() - started, rows, failed });
    try {
      const result = await connection.execute(sql, parameters);
      observe(result.affected ?? result.rows.length, false);
      return result;
    } catch (error) {
      observe(0, true);
      throw refusalOf(error, sql);
    }
  };

  const call = async (procedure: Procedure<unknown, unknown>, input: unknown): Promise<unknown> => {
    if (connection.call === null) return await callHere(procedure, engine.kind, input, run);
    requireOpen();
    try {
      const { output, statements } = await connection.call(procedure.name, input);
      for (const { sql, ms, rows } of statements) onStatement({ unit: name, tx, mode, sql, ms, rows, failed: false });
      return output;
    } catch (error) {
      throw refusalOf(error, procedure.name);
    }
  };

  const single: DatabaseConnection = {
    executeQuery: async <R>(query: CompiledQuery) => toKysely<R>(await run(query.sql, query.parameters)),
    streamQuery: () => {
      throw new Error("results cannot be streamed: read pages by key");
    },
  };
  const executor = new DefaultQueryExecutor(engine.compiler, engine.adapter, {
    provideConnection: (consumer) => consumer(single),
  });
  const dialect = {} as Dialect;
  const kysely = new Kysely<unknown>({ config: { dialect }, dialect, driver: noDriver, executor });
  const tx = {
    name,
    writable: mode === "write",
    began: options.began,
    afterCommit: (action: () => void) => void actions.push(action),
  } as unknown as Tx;
  bindTx(tx, { kysely, dialect: engine.dialect, call });
  return { tx, actions, failure: () => failure, end: () => void (ended = true) };
}
