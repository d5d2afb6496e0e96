import type { Log } from "#core/ports/log.ts";
import type { Metrics } from "#core/ports/metrics.ts";
import type { Engine, UnitMode } from "./connection.ts";
import type { StatementEvent } from "./unit.ts";

const slowStatementMs = 200;
const shownLength = 2_000;
const statementBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const unitBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10];

export interface UnitEvent {
  readonly unit: string;
  readonly mode: UnitMode;
  readonly ms: number;
  readonly outcome: "ok" | "failed";
}

/** Metrics of statements, units of work and connections. */
export class Observer {
  readonly #log: Log;
  readonly #statements;
  readonly #units;
  readonly #repeats;
  readonly #listeners = new Set<(event: StatementEvent) => void>();

  constructor(log: Log, metrics: Metrics) {
    this.#log = log;
    this.#statements = metrics.histogram(
      "rollcall_database_statement_seconds",
      "Time of one statement",
      ["mode"],
      statementBuckets,
    );
    this.#units = metrics.histogram(
      "rollcall_database_unit_seconds",
      "Time of one unit of work or read snapshot, with waiting for a connection",
      ["unit", "mode", "outcome"],
      unitBuckets,
    );
    this.#repeats = metrics.counter(
      "rollcall_database_repeats_total",
      "Units of work repeated after a deadlock or lost connection",
      ["reason"],
    );
  }

  watchPools(engine: Engine, metrics: Metrics): void {
    const pools =
      engine.readers === engine.writers ? { all: engine.readers } : { readers: engine.readers, writer: engine.writers };
    const read = () =>
      Object.entries(pools).flatMap(([pool, it]) => {
        const { open, idle, waiting } = it.stats();
        return [
          { labels: { pool, state: "open" }, value: open },
          { labels: { pool, state: "idle" }, value: idle },
          { labels: { pool, state: "waiting" }, value: waiting },
        ];
      });
    metrics.gauge("rollcall_database_connections", "Connections of this process; waiting counts callers", read, [
      "pool",
      "state",
    ]);
  }

  listen(listener: (event: StatementEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  statement(event: StatementEvent): void {
    this.#statements.observe({ mode: event.mode }, event.ms / 1000);
    for (const listener of this.#listeners) listener(event);
    if (event.ms >= slowStatementMs) {
      const { unit, rows } = event;
      this.#log.debug({ unit, rows, ms: Math.round(event.ms), sql: event.sql.slice(0, shownLength) }, "slow statement");
    }
  }

  unit(event: UnitEvent): void {
    this.#units.observe({ unit: event.unit, mode: event.mode, outcome: event.outcome }, event.ms / 1000);
  }

  retried(unit: string, reason: string, attempt: number): void {
    this.#repeats.inc({ reason });
    this.#log.debug({ unit, reason, attempt }, "retrying a unit of work");
  }

  actionFailed(unit: string, error: unknown): void {
    this.#log.error({ unit, err: error }, "work after a commit failed");
  }
}
