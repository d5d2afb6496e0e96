import Sqlite from "better-sqlite3";
import { SqliteAdapter, SqliteQueryCompiler } from "kysely";
import { enterUnitOfWork } from "#core/db/unit-of-work.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { Engine, SqlConnection, SqlResult, UnitMode } from "#infra/db/connection.ts";
import { sqliteDialect } from "#infra/db/dialect/sqlite/dialect.ts";
import { failureOf } from "#infra/db/dialect/sqlite/errors.ts";
import { uniqueIndexName } from "#infra/db/dialect/sqlite/constraint.ts";
import { bindable, publicError } from "#infra/db/failure.ts";
import { startUnit } from "#infra/db/unit.ts";
import type { Life, Simulation } from "./simulation.ts";

/** Longest time of one statement, and of one way to the database. Milliseconds. */
const statementMs = 3;

const setup = { file: "simulated", busyTimeoutMs: 0, durable: true, role: "writer" } as const;

interface Waiting {
  readonly life: Life;
  grant(): void;
}

/** One SQLite database in memory that several simulated processes share, one unit of work at a time. */
export class SimulatedDatabase {
  readonly sqlite: Sqlite.Database;
  readonly #simulation: Simulation;
  #holder: Life | null = null;
  readonly #waiting: Waiting[] = [];
  /** What an operator's change of the clock adds to it. Milliseconds. */
  clockOffsetMs = 0;

  /** `content`: bytes of a migrated database file. */
  constructor(simulation: Simulation, content: Buffer) {
    this.#simulation = simulation;
    this.sqlite = new Sqlite(content);
  }

  close(): void {
    this.sqlite.close();
  }

  /** The port as one process sees it. */
  portOf(life: Life): Database {
    life.onEnd(() => {
      if (this.#holder !== life) return;
      if (this.sqlite.inTransaction) this.sqlite.exec("rollback");
      this.#release();
    });
    return {
      kind: "sqlite",
      read: async (name, work) => await this.#unit(life, "read", name, work),
      write: async (name, work) => await this.#unit(life, "write", name, work),
      now: async () => {
        await life.delay(statementMs);
        return this.#now();
      },
      state: () => ({ up: true, since: 0, reason: null }),
      onStateChange: () => () => {},
      ping: async () => {},
      close: async () => {},
    };
  }

  #now(): number {
    return this.#simulation.now + this.clockOffsetMs;
  }

  async #acquire(life: Life): Promise<void> {
    await life.delay(statementMs);
    await new Promise<void>((resolve) => {
      this.#waiting.push({ life, grant: () => life.reach(resolve) });
      if (this.#holder === null) this.#release();
    });
  }

  /** Gives the database to the next one that waits. */
  #release(): void {
    this.#holder = null;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (next.life.isDead) continue;
      this.#holder = next.life;
      next.grant();
      return;
    }
  }

  async #unit<T>(life: Life, mode: UnitMode, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    await this.#acquire(life);
    this.sqlite.exec("begin");
    const engine = {
      kind: "sqlite",
      dialect: sqliteDialect(() => this.#now()),
      adapter: new SqliteAdapter(),
      compiler: new SqliteQueryCompiler(),
    } as Partial<Engine> as Engine;
    const unit = startUnit({
      engine,
      connection: this.#connection(life),
      name,
      mode,
      began: this.#simulation.elapsed,
      monotonic: () => this.#simulation.elapsed,
      onStatement: () => {},
      showStatements: true,
    });
    let result: T;
    try {
      result = await enterUnitOfWork(name, async () => await work(unit.tx));
      if (unit.failure()) throw unit.failure()!;
    } catch (error) {
      unit.end();
      this.sqlite.exec("rollback");
      this.#release();
      throw publicError(error);
    }
    unit.end();
    // Before and after the commit, so that a process can die without knowing whether it committed.
    await life.delay(statementMs);
    this.sqlite.exec("commit");
    this.#release();
    await life.delay(statementMs);
    for (const action of unit.actions) action();
    return result;
  }

  #connection(life: Life): SqlConnection {
    return {
      execute: async (sql: string, params: readonly unknown[]) => {
        await life.delay(statementMs);
        return this.#execute(sql, params);
      },
    } as Partial<SqlConnection> as SqlConnection;
  }

  #execute(sql: string, params: readonly unknown[]): SqlResult {
    try {
      const prepared = this.sqlite.prepare(sql);
      const values = params.map(bindable);
      if (prepared.reader) return { rows: prepared.all(...values) as Record<string, unknown>[], affected: null, insertId: null };
      const { changes, lastInsertRowid } = prepared.run(...values);
      return { rows: [], affected: changes, insertId: changes > 0 ? Number(lastInsertRowid) : null };
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      const constraint = code === "SQLITE_CONSTRAINT_UNIQUE" ? uniqueIndexName(this.sqlite, message) : null;
      throw failureOf({ code: code ?? "ERROR", message, constraint }, setup);
    }
  }
}
