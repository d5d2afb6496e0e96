import { sql } from "kysely";
import { DatabaseUnavailable, NestedUnitOfWork, Overtaken, PoolTimeout } from "#core/db/errors.ts";
import { dialectOf, queries } from "#core/db/queries.ts";
import { assertOutsideUnitOfWork, enterUnitOfWork, leaveUnitOfWork } from "#core/db/unit-of-work.ts";
import { addressOf, type Dsn } from "#core/dsn.ts";
import type { Clock } from "#core/ports/clock.ts";
import type { Database, DatabaseKind, DatabaseState, Tx } from "#core/ports/database.ts";
import type { Log } from "#core/ports/log.ts";
import type { Metrics } from "#core/ports/metrics.ts";
import { Availability } from "./availability.ts";
import type { Engine, SqlConnection, UnitMode } from "./connection.ts";
import { mariadbEngine } from "./dialect/mariadb/engine.ts";
import { sqliteEngine } from "./dialect/sqlite/engine.ts";
import { asFailure, Failure, publicError } from "./failure.ts";
import { Observer } from "./observer.ts";
import type { PoolStats } from "./pool.ts";
import { probe } from "./probe.ts";
import { startUnit, type StatementEvent, type Unit } from "./unit.ts";

export interface DatabaseOptions {
  readonly dsn: Dsn;
  /** `database.*`: for SQLite these limit the readers; its single writer is not included. */
  readonly pool: {
    /** 0 means no limit. */
    readonly maxOpenConns: number;
    readonly maxIdleConns: number;
    /** Milliseconds; 0 means no limit. */
    readonly connMaxIdleTimeMs: number;
    readonly connMaxLifetimeMs: number;
  };
  readonly disableLocking: boolean;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Wraps each unit of work and snapshot, for example to measure it. */
  readonly around?: <T>(mode: UnitMode, name: string, work: () => Promise<T>) => Promise<T>;
  /** In debug, errors of failed statements contain the statement's shape. */
  readonly mode?: "debug" | "release";
  /** How long a caller waits for a free connection; 30 s by default. */
  readonly waitLimitMs?: number;
  /** Worker threads that run SQLite's readers; 2 by default. */
  readonly readerThreads?: number;
  /** How long SQLite waits for another process's write lock; 5 s by default. */
  readonly busyTimeoutMs?: number;
  /** Tests only: does not wait for the disk (SQLite), and replaces the database's clock. */
  readonly test?: { readonly volatile?: boolean; readonly now?: () => number };
}

/** The port with additional methods for migrations and tests. */
export interface SqlDatabase extends Database {
  readonly disableLocking: boolean;
  /** Runs `work` on one connection without a transaction: for schema changes and database locks. */
  exclusive<T>(name: string, work: (session: SqlSession) => Promise<T>): Promise<T>;
  /** Calls the listener after every statement; BEGIN and COMMIT do not count. */
  observe(listener: (event: StatementEvent) => void): () => void;
  poolStats(): { readonly readers: PoolStats; readonly writers: PoolStats };
}

export interface SqlSession {
  readonly engine: Engine;
  readonly connection: SqlConnection;
  /** A `Tx` on this connection, for a transaction that the caller has begun. */
  unit(name: string): Unit;
}

const attempts = 5;

function createEngine(options: DatabaseOptions, onOpen: (failure: Failure | null) => void): Engine {
  const { pool, clock, disableLocking } = options;
  const limits = {
    maxOpen: pool.maxOpenConns,
    maxIdle: pool.maxOpenConns > 0 ? Math.min(pool.maxIdleConns, pool.maxOpenConns) : pool.maxIdleConns,
    maxIdleTimeMs: pool.connMaxIdleTimeMs,
    maxLifetimeMs: pool.connMaxLifetimeMs,
    waitLimitMs: options.waitLimitMs ?? 30_000,
  };
  const fixedNow = options.test?.now ?? null;
  if (options.dsn.kind === "mariadb") return mariadbEngine({ dsn: options.dsn, limits, fixedNow, disableLocking, clock, onOpen });
  return sqliteEngine({
    dsn: options.dsn,
    limits,
    fixedNow,
    disableLocking,
    clock,
    onOpen,
    readerThreads: options.readerThreads ?? 2,
    durable: options.test?.volatile !== true,
    busyTimeoutMs: options.busyTimeoutMs ?? 5_000,
  });
}

class PooledDatabase implements SqlDatabase {
  readonly kind: DatabaseKind;
  readonly disableLocking: boolean;
  readonly #options: DatabaseOptions;
  readonly #clock: Clock;
  readonly #engine: Engine;
  readonly #observer: Observer;
  readonly #availability: Availability;

  constructor(options: DatabaseOptions) {
    this.kind = options.dsn.kind;
    this.disableLocking = options.disableLocking;
    this.#options = options;
    this.#clock = options.clock;
    this.#engine = createEngine(options, (failure) => this.#onOpen(failure));
    this.#observer = new Observer(options.log, options.metrics);
    this.#observer.watchPools(this.#engine, options.metrics);
    this.#availability = new Availability(options.clock, options.log, () => this.#probe());
  }

  read<T>(name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#around("read", name, work);
  }

  write<T>(name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#around("write", name, work);
  }

  #around<T>(mode: UnitMode, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { around } = this.#options;
    return around ? around(mode, name, () => this.#withRetries(mode, name, work)) : this.#withRetries(mode, name, work);
  }

  async now(tx: Tx): Promise<number> {
    const { rows } = await sql<{ now: number }>`select ${dialectOf(tx).nowMs()} as now`.execute(queries(tx));
    return rows[0]!.now;
  }

  state(): DatabaseState {
    return this.#availability.state;
  }

  onStateChange(listener: (state: DatabaseState) => void): () => void {
    return this.#availability.onChange(listener);
  }

  async ping(): Promise<void> {
    assertOutsideUnitOfWork("ping the database");
    try {
      await this.#probe();
      this.#availability.up();
    } catch (error) {
      const seen = publicError(error) as Error;
      if (!(seen instanceof PoolTimeout)) this.#availability.down(seen);
      throw seen instanceof DatabaseUnavailable ? seen : new DatabaseUnavailable(seen.message);
    }
  }

  async close(): Promise<void> {
    this.#availability.close();
    await this.#engine.close();
  }

  observe(listener: (event: StatementEvent) => void): () => void {
    return this.#observer.listen(listener);
  }

  poolStats() {
    return { readers: this.#engine.readers.stats(), writers: this.#engine.writers.stats() };
  }

  async exclusive<T>(name: string, work: (session: SqlSession) => Promise<T>): Promise<T> {
    assertOutsideUnitOfWork(`start ${name}`);
    try {
      const connection = await this.#engine.writers.acquire();
      try {
        const unit = (unitName: string) => this.#unit(connection, unitName, "write");
        return await enterUnitOfWork(name, () => work({ engine: this.#engine, connection, unit }));
      } finally {
        this.#engine.writers.release(connection);
      }
    } catch (error) {
      throw publicError(error);
    }
  }

  #unit(connection: SqlConnection, name: string, mode: UnitMode, began = this.#clock.monotonic()): Unit {
    return startUnit({
      began,
      engine: this.#engine,
      connection,
      name,
      mode,
      monotonic: () => this.#clock.monotonic(),
      onStatement: (event) => this.#observer.statement(event),
      showStatements: this.#options.mode === "debug",
    });
  }

  async #withRetries<T>(mode: UnitMode, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    assertOutsideUnitOfWork(`start ${name}`);
    const started = this.#clock.monotonic();
    const observe = (outcome: "ok" | "failed") =>
      this.#observer.unit({ unit: name, mode, ms: this.#clock.monotonic() - started, outcome });
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await this.#attempt(mode, name, work);
        observe("ok");
        return result;
      } catch (error) {
        const isRetryable =
          error instanceof Failure && (error.kind === "deadlock" || error.kind === "lost") && attempt < attempts;
        if (!isRetryable) {
          observe("failed");
          throw publicError(error);
        }
        this.#observer.retried(name, error.kind, attempt);
        await this.#clock.sleep((5 + 20 * Math.random()) * 2 ** (attempt - 1));
      }
    }
  }

  /** Rejects with a `Failure` if the database failed, else with the error of `work`. */
  async #attempt<T>(mode: UnitMode, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const pool = mode === "read" ? this.#engine.readers : this.#engine.writers;
    const connection = await pool.acquire((candidate) => candidate.suits(mode));
    let finished: Promise<void> = Promise.resolve();
    try {
      const began = this.#clock.monotonic();
      await this.#guarded(connection.begin(mode));
      const unit = this.#unit(connection, name, mode, began);
      let result: T;
      try {
        result = await enterUnitOfWork(name, () => work(unit.tx));
        if (unit.failure()) throw unit.failure()!;
      } catch (error) {
        unit.end();
        finished = this.#rollBack(connection);
        throw this.#reasonOf(error, unit);
      }
      unit.end();
      if (mode === "read") finished = this.#rollBack(connection);
      else await this.#commit(connection);
      this.#runActions(name, unit.actions);
      return result;
    } finally {
      void finished.then(() => pool.release(connection));
    }
  }

  #reasonOf(error: unknown, unit: Unit): unknown {
    const failure = unit.failure();
    if (failure) {
      this.#onFailure(failure);
      return failure;
    }
    if (error instanceof Overtaken) return new Failure("deadlock", error);
    return error instanceof NestedUnitOfWork ? error : publicError(error);
  }

  /** Ends a snapshot or failed unit; the connection waits for it, but not the caller. */
  async #rollBack(connection: SqlConnection): Promise<void> {
    try {
      await connection.rollback();
    } catch (error) {
      const failure = asFailure(error);
      this.#onFailure(failure);
      // SQLite refuses if it has already rolled back; in other cases the state is unknown.
      if (this.kind !== "sqlite") void connection.close();
    }
  }

  async #commit(connection: SqlConnection): Promise<void> {
    try {
      await connection.commit();
    } catch (error) {
      const failure = asFailure(error);
      this.#onFailure(failure);
      await this.#rollBack(connection);
      if (failure.kind !== "lost") throw failure;
      throw new DatabaseUnavailable(`${failure.message} during COMMIT: it is unknown whether it was stored`);
    }
  }

  #runActions(name: string, actions: readonly (() => void)[]): void {
    for (const action of actions) {
      leaveUnitOfWork(() => {
        try {
          action();
        } catch (error) {
          this.#observer.actionFailed(name, error);
        }
      });
    }
  }

  async #guarded(step: Promise<void>): Promise<void> {
    try {
      await step;
    } catch (error) {
      const failure = asFailure(error);
      this.#onFailure(failure);
      throw failure;
    }
  }

  #onFailure(failure: Failure): void {
    if (failure.kind === "lost") {
      this.#engine.readers.dropIdle();
      this.#availability.suspect();
    }
    if (failure.kind === "unreachable" && !(failure.seen instanceof PoolTimeout)) this.#availability.down(failure.seen);
  }

  #probe(): Promise<void> {
    return probe(this.#engine, this.#clock, this.#availability.state, addressOf(this.#options.dsn));
  }

  #onOpen(failure: Failure | null): void {
    if (failure === null) {
      this.#availability.up();
      return;
    }
    // A server at its connection limit still serves existing connections.
    const { open, idle } = this.#engine.writers.stats();
    if (open - idle > 1) return;
    this.#availability.down(failure.seen);
  }
}

/**
 * Creates the database of a configuration. It connects at first use: call `ping` to check whether it
 * works; if not, it keeps retrying and `onStateChange` reports when it is up.
 */
export function createDatabase(options: DatabaseOptions): SqlDatabase {
  return new PooledDatabase(options);
}
