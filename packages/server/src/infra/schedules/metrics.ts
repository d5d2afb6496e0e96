import type { Clock, Metrics } from "#core/ports/index.ts";

interface Observed {
  readonly done: { readonly startedAt: number; readonly finishedAt: number } | null;
  /** Milliseconds UTC; null when that is not known yet. */
  readonly due: number | null;
  readonly running: boolean;
}

/**
 * The last state of each schedule as this worker observed it, for alerts. It includes the runs of other
 * workers, because every worker reads them again every few seconds.
 */
export class ScheduleMetrics {
  readonly #observed = new Map<string, Observed>();

  constructor(metrics: Metrics, clock: Clock) {
    const each = (value: (observed: Observed) => number | null) => () =>
      [...this.#observed].flatMap(([job, observed]) => {
        const found = value(observed);
        return found === null ? [] : [{ labels: { job }, value: found }];
      });
    metrics.gauge(
      "rollcall_job_last_success_seconds",
      "Time of the last successful run, in seconds since 1970",
      each(({ done }) => (done === null ? null : done.finishedAt / 1000)),
      ["job"],
    );
    metrics.gauge(
      "rollcall_job_last_duration_seconds",
      "Duration of the last successful run",
      each(({ done }) => (done === null ? null : (done.finishedAt - done.startedAt) / 1000)),
      ["job"],
    );
    metrics.gauge(
      "rollcall_job_next_run_seconds",
      "Time of the next run, in seconds since 1970",
      each(({ due }) => (due === null ? null : due / 1000)),
      ["job"],
    );
    metrics.gauge(
      "rollcall_job_lag_seconds",
      "How long the schedule has been due without a run",
      each(({ due, running }) => (due === null || running ? 0 : Math.max(0, clock.now() - due) / 1000)),
      ["job"],
    );
  }

  observe(schedule: string, observed: Observed): void {
    this.#observed.set(schedule, observed);
  }
}
