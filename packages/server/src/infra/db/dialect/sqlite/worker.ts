import { parentPort, workerData } from "node:worker_threads";
import Sqlite from "better-sqlite3";
import type { Procedure, ProcedureRow } from "#core/db/procedure.ts";
import { systemClock } from "#infra/clock.ts";
import type { WorkerReply, WorkerRequest, WorkerSetup } from "./protocol.ts";
import { uniqueIndexName } from "./constraint.ts";

const setup = workerData as WorkerSetup;
const port = parentPort!;
const cachedStatements = 300;
const cachedSqlLength = 50_000;

interface Open {
  readonly database: Sqlite.Database;
  readonly statements: Map<string, Sqlite.Statement>;
}

const connections = new Map<number, Open>();
/** Loaded with the first call, because the first statement waits for the start of the thread. */
let procedures: readonly Procedure<unknown, unknown>[] | null = null;

function open(id: number): void {
  const database = new Sqlite(setup.file, { timeout: setup.busyTimeoutMs });
  try {
    if (setup.role === "writer") database.pragma("journal_mode = WAL");
    database.pragma(`synchronous = ${setup.durable ? "FULL" : "OFF"}`);
    database.pragma("foreign_keys = ON");
    database.pragma("temp_store = MEMORY");
    database.pragma(`cache_size = ${setup.role === "writer" ? -16_000 : -8_000}`);
    database.pragma("journal_size_limit = 67108864");
    if (setup.role === "reader") database.pragma("query_only = ON");
    database.prepare("select count(*) from sqlite_master").get();
  } catch (error) {
    database.close();
    throw error;
  }
  connections.set(id, { database, statements: new Map() });
}

function statement(connection: Open, sql: string): Sqlite.Statement {
  const { statements } = connection;
  const known = statements.get(sql);
  if (known) {
    statements.delete(sql);
    statements.set(sql, known);
    return known;
  }
  const prepared = connection.database.prepare(sql);
  if (sql.length <= cachedSqlLength) {
    statements.set(sql, prepared);
    if (statements.size > cachedStatements) statements.delete(statements.keys().next().value!);
  }
  return prepared;
}

function connectionOf(request: WorkerRequest & { op: "run" | "call" }): Open {
  const connection = connections.get(request.connection);
  if (!connection) throw new Error("this connection is closed");
  if (request.begin) statement(connection, "begin").run();
  return connection;
}

function call(request: WorkerRequest & { op: "call" }): WorkerReply {
  const connection = connectionOf(request);
  const procedure = procedures?.find(({ name }) => name === request.procedure);
  if (!procedure) throw new Error(`there is no procedure ${request.procedure}`);
  const steps = procedure.run("sqlite", request.input);
  const statements: { sql: string; ms: number; rows: number }[] = [];
  let step = steps.next();
  while (step.done !== true) {
    const { sql, params } = step.value;
    const started = systemClock.monotonic();
    const rows = statement(connection, sql).all(...params) as ProcedureRow[];
    statements.push({ sql, ms: systemClock.monotonic() - started, rows: rows.length });
    step = steps.next(rows);
  }
  return { id: request.id, rows: [], affected: null, insertId: null, called: { output: step.value, statements } };
}

function run(request: WorkerRequest & { op: "run" }): WorkerReply {
  const connection = connectionOf(request);
  const prepared = statement(connection, request.sql);
  if (prepared.reader) {
    return {
      id: request.id,
      rows: prepared.all(...request.params) as Record<string, unknown>[],
      affected: null,
      insertId: null,
    };
  }
  const result = prepared.run(...request.params);
  const insertId = result.changes > 0 ? Number(result.lastInsertRowid) : null;
  return { id: request.id, rows: [], affected: result.changes, insertId };
}

function close(id: number): void {
  connections.get(id)?.database.close();
  connections.delete(id);
}

function answer(request: WorkerRequest): WorkerReply {
  const empty = { id: request.id, rows: [], affected: null, insertId: null };
  if (request.op === "run") return run(request);
  if (request.op === "call") return call(request);
  if (request.op === "open") open(request.connection);
  else close(request.connection);
  return empty;
}

function refusal(request: WorkerRequest, error: unknown): WorkerReply {
  const code = (error as { code?: unknown }).code;
  const message = error instanceof Error ? error.message : String(error);
  const database = connections.get(request.connection)?.database;
  return {
    id: request.id,
    error: {
      code: typeof code === "string" ? code : "ERROR",
      message,
      constraint: database && code === "SQLITE_CONSTRAINT_UNIQUE" ? uniqueIndexName(database, message) : null,
    },
  };
}

function respond(request: WorkerRequest): void {
  let reply: WorkerReply;
  try {
    reply = answer(request);
  } catch (error) {
    reply = refusal(request, error);
  }
  port.postMessage(reply);
}

async function load(): Promise<void> {
  procedures ??= (await import("../../procedures.ts")).procedures;
}

port.on("message", (request: WorkerRequest) => {
  if (request.op === "call" && procedures === null) void load().finally(() => respond(request));
  else respond(request);
});
