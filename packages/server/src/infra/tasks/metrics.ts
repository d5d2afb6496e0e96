import type { Metrics } from "#core/ports/index.ts";

export class TaskMetrics {
  readonly #ended;
  readonly #seconds;
  readonly #delay;
  readonly #lost;

  constructor(metrics: Metrics) {
    this.#ended = metrics.counter("rollcall_tasks_total", "Ended attempts of worker tasks", ["kind", "outcome"]);
    this.#seconds = metrics.histogram(
      "rollcall_task_seconds",
      "Duration of attempts of worker tasks",
      ["kind"],
      [0.01, 0.1, 1, 10, 60, 600],
    );
    this.#delay = metrics.histogram(
      "rollcall_task_delay_seconds",
      "How long worker tasks were due before they began",
      ["lane"],
      [0.05, 0.1, 0.25, 1, 10, 60],
    );
    this.#lost = metrics.counter("rollcall_tasks_lost_total", "Worker tasks whose worker died or lost its database");
  }

  began(lane: string, delayMs: number): void {
    this.#delay.observe({ lane }, Math.max(0, delayMs) / 1000);
  }

  ended(kind: string, outcome: string, ms: number): void {
    this.#ended.inc({ kind, outcome });
    this.#seconds.observe({ kind }, ms / 1000);
  }

  lost(count: number): void {
    if (count > 0) this.#lost.inc({}, count);
  }
}
