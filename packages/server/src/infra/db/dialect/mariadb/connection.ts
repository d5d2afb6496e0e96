import mysql, { type Connection, type ConnectionOptions, type QueryError } from "mysql2";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import { addressOf, type MariadbDsn } from "#core/dsn.ts";
import type { Clock } from "#core/ports/clock.ts";
import type { SqlConnection, SqlResult, UnitMode } from "../../connection.ts";
import { Failure } from "../../failure.ts";
import { failureOf, openFailureOf } from "./errors.ts";
import { formatStatement } from "./format.ts";
import { checkServer, factsOf, serverFactsQuery, type ServerFacts } from "./server.ts";

const sqlMode =
  "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_IN_DATE,NO_ZERO_DATE,NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY";
/** Shorter than the server's 50 s; a unit of work that waits longer is retried. */
const lockWaitSeconds = 10;
const quitLimitMs = 1_000;
/** Default of the DSN's `timeout`. A server that accepts the connection and never answers would occupy a slot of the pool. */
const openLimitMs = 10_000;
/**
 * A process that froze inside a transaction would keep its locks, including those of leases, for the
 * server's default of 8 hours. Transactions wait for nothing but the server, so a long idle time means a
 * frozen process.
 */
const idleTransactionSeconds = 10;

function tlsOptions(dsn: MariadbDsn): NonNullable<ConnectionOptions["ssl"]> {
  return dsn.tls === "verify" ? { rejectUnauthorized: true, verifyIdentity: true } : { rejectUnauthorized: false };
}

function driverOptions(dsn: MariadbDsn, encrypted: boolean): ConnectionOptions {
  const address =
    "socket" in dsn.address ? { socketPath: dsn.address.socket } : { host: dsn.address.host, port: dsn.address.port };
  return {
    ...address,
    user: dsn.user,
    password: dsn.password,
    database: dsn.database,
    charset: "utf8mb4",
    timezone: "Z",
    dateStrings: true,
    supportBigNumbers: true,
    decimalNumbers: true,
    // `open` has its own limit, because the driver's ends with the greeting.
    connectTimeout: 0,
    enableKeepAlive: true,
    flags: ["-LOCAL_FILES"],
    ...(encrypted ? { ssl: tlsOptions(dsn) } : {}),
  };
}

function handshake(dsn: MariadbDsn, encrypted: boolean, ending: AbortSignal): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const connection = mysql.createConnection(driverOptions(dsn, encrypted));
    const end = () => onError(ending.reason as QueryError);
    const onError = (error: QueryError) => {
      ending.removeEventListener("abort", end);
      connection.on("error", () => undefined);
      connection.destroy();
      (connection as unknown as { stream: { destroy(): void } }).stream.destroy();
      reject(error);
    };
    ending.addEventListener("abort", end);
    connection.once("error", onError);
    connection.once("connect", () => {
      ending.removeEventListener("abort", end);
      connection.off("error", onError);
      resolve(connection);
    });
  });
}

async function connect(dsn: MariadbDsn, ending: AbortSignal): Promise<Connection> {
  try {
    return await handshake(dsn, dsn.tls !== "off", ending);
  } catch (error) {
    const { code } = error as QueryError;
    if (dsn.tls !== "preferred" || code !== "HANDSHAKE_NO_SSL_SUPPORT") throw openFailureOf(error as QueryError, dsn);
  }
  try {
    return await handshake(dsn, false, ending);
  } catch (error) {
    throw openFailureOf(error as QueryError, dsn);
  }
}

const timedOut = () => Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" });

/** One connection to MariaDB or MySQL. */
export class MariadbConnection implements SqlConnection {
  readonly call = null;
  readonly #driver: Connection;
  readonly #dsn: MariadbDsn;
  readonly #clock: Clock;
  #facts: ServerFacts = { version: "", writeIsolation: "READ COMMITTED" };
  #isolation: string | null = null;
  #usable = true;
  #lost: (() => void) | null = null;
  readonly #running = new Set<(failure: Failure) => void>();

  /** Rejects when `closed` is aborted, or when the server does not answer in time. */
  static async open(dsn: MariadbDsn, clock: Clock, closed: AbortSignal): Promise<MariadbConnection> {
    const ending = new AbortController();
    const end = () => ending.abort(closed.reason);
    closed.addEventListener("abort", end);
    const limit = clock.setTimeout(() => ending.abort(timedOut()), dsn.connectTimeoutMs || openLimitMs);
    try {
      closed.throwIfAborted();
      return await MariadbConnection.#opened(dsn, clock, ending.signal);
    } finally {
      limit.cancel();
      closed.removeEventListener("abort", end);
    }
  }

  static async #opened(dsn: MariadbDsn, clock: Clock, ending: AbortSignal): Promise<MariadbConnection> {
    const connection = new MariadbConnection(await connect(dsn, ending), dsn, clock);
    const end = () => connection.#break("opening took too long");
    ending.addEventListener("abort", end);
    try {
      await connection.#prepare();
      return connection;
    } catch (error) {
      await connection.close();
      if (ending.aborted) throw openFailureOf(ending.reason as Error, dsn);
      if (error instanceof Failure && error.kind === "unreachable") throw error;
      const seen = error instanceof Failure ? error.seen : (error as Error);
      throw openFailureOf({ code: (seen as { code?: string }).code ?? "", message: seen.message }, dsn);
    } finally {
      ending.removeEventListener("abort", end);
    }
  }

  private constructor(driver: Connection, dsn: MariadbDsn, clock: Clock) {
    this.#driver = driver;
    this.#dsn = dsn;
    this.#clock = clock;
    driver.on("error", () => this.#break("the server closed it"));
    driver.on("end", () => this.#break("the server closed it"));
  }

  get usable(): boolean {
    return this.#usable;
  }

  get facts(): ServerFacts {
    return this.#facts;
  }

  onLost(listener: () => void): void {
    this.#lost = listener;
  }

  suits(mode: UnitMode): boolean {
    return this.#isolation === this.#isolationOf(mode);
  }

  execute(sql: string, params: readonly unknown[]): Promise<SqlResult> {
    if (!this.#usable) return Promise.reject(this.#lostFailure("it was closed"));
    const text = formatStatement(sql, params);
    return new Promise<SqlResult>((resolve, reject) => {
      const timers = this.#limits();
      const finish = () => {
        this.#running.delete(abort);
        for (const timer of timers) timer.cancel();
      };
      const abort = (failure: Failure) => {
        finish();
        reject(failure);
      };
      this.#running.add(abort);
      this.#driver.query(text, (error: QueryError | null, result: unknown) => {
        if (!this.#running.has(abort)) return;
        finish();
        if (error) reject(this.#failed(error));
        else resolve(resultOf(result));
      });
    });
  }

  async begin(mode: UnitMode): Promise<void> {
    const isolation = this.#isolationOf(mode);
    if (this.#isolation !== isolation) {
      await this.execute(`set session transaction isolation level ${isolation}`, []);
      this.#isolation = isolation;
    }
    await this.execute(mode === "read" ? "start transaction with consistent snapshot, read only" : "start transaction", []);
  }

  async commit(): Promise<void> {
    await this.execute("commit", []);
  }

  async rollback(): Promise<void> {
    if (this.#usable) await this.execute("rollback", []);
  }

  close(): Promise<void> {
    if (!this.#usable) return Promise.resolve();
    this.#usable = false;
    this.#lost = null;
    return new Promise((resolve) => {
      const limit = this.#clock.setTimeout(() => {
        this.#driver.destroy();
        resolve();
      }, quitLimitMs);
      this.#driver.end(() => {
        limit.cancel();
        resolve();
      });
    });
  }

  async #prepare(): Promise<void> {
    await this.execute(`set names utf8mb4 collate ${this.#dsn.collation}`, []);
    // MySQL has no such limit, and ignores the comment for MariaDB.
    const idle = `/*M!100300 , idle_transaction_timeout = ${idleTransactionSeconds} */`;
    await this.execute(
      `set session sql_mode = '${sqlMode}', time_zone = '+00:00', innodb_lock_wait_timeout = ${lockWaitSeconds} ${idle}`,
      [],
    );
    const { rows } = await this.execute(serverFactsQuery, []);
    this.#facts = factsOf(new Map(rows.map((row) => [String(row["Variable_name"]).toLowerCase(), String(row["Value"])])));
    checkServer(this.#facts.version, addressOf(this.#dsn));
  }

  #isolationOf(mode: UnitMode): string {
    return mode === "read" ? "REPEATABLE READ" : this.#facts.writeIsolation;
  }

  /** The DSN's readTimeout and writeTimeout, which mysql2 does not implement. */
  #limits(): { cancel(): void }[] {
    const { readTimeoutMs, writeTimeoutMs } = this.#dsn;
    const timers: { cancel(): void }[] = [];
    if (readTimeoutMs > 0) {
      timers.push(
        this.#clock.setTimeout(() => this.#break(`no answer within readTimeout of ${readTimeoutMs} ms`), readTimeoutMs),
      );
    }
    if (writeTimeoutMs > 0) {
      const check = () => {
        const stream = (this.#driver as unknown as { stream: { writableLength: number } }).stream;
        if (stream.writableLength > 0) this.#break(`sending took longer than writeTimeout of ${writeTimeoutMs} ms`);
      };
      timers.push(this.#clock.setTimeout(check, writeTimeoutMs));
    }
    return timers;
  }

  #failed(error: QueryError): Failure {
    const failure = failureOf(error, this.#dsn);
    if (failure.kind === "lost") this.#break(error.code ?? "unknown");
    return failure;
  }

  #lostFailure(reason: string): Failure {
    return new Failure("lost", new DatabaseUnavailable(`the connection to ${addressOf(this.#dsn)} broke (${reason})`));
  }

  #break(reason: string): void {
    if (!this.#usable) return;
    this.#usable = false;
    this.#driver.destroy();
    (this.#driver as unknown as { stream: { destroy(): void } }).stream.destroy();
    const failure = this.#lostFailure(reason);
    for (const abort of this.#running) abort(failure);
    this.#lost?.();
  }
}

function resultOf(result: unknown): SqlResult {
  if (Array.isArray(result)) return { rows: result as Record<string, unknown>[], affected: null, insertId: null };
  const { affectedRows, insertId } = result as { affectedRows: number; insertId: number };
  return { rows: [], affected: affectedRows, insertId: insertId > 0 ? insertId : null };
}
