import type { Clock, Metrics } from "#core/ports/index.ts";

interface Sighting {
  readonly done: { readonly startedAt: number; readonly finishedAt: number } | null;
  /** Milliseconds UTC; null when that is not known yet. */
  readonly due: number | null;
  readonly running: boolean;
}

/**
 * What this worker last saw of each job, for alerts: it sees the runs of other workers too, because it looks when a job is
 * due and until somebody has run it.
 */
export class JobWatch {
  readonly #jobs = new Map<string, Sighting>();

  constructor(metrics: Metrics, clock: Clock) {
    const each = (value: (seen: Sighting) => number | null) => () =>
      [...this.#jobs].flatMap(([job, seen]) => {
        const found = value(seen);
        return found === null ? [] : [{ labels: { job }, value: found }];
      });
    metrics.gauge(
      "rollcall_job_last_success_seconds",
      "When the job last ended well, in seconds since 1970",
      each(({ done }) => (done === null ? null : done.finishedAt / 1000)),
      ["job"],
    );
    metrics.gauge(
      "rollcall_job_last_duration_seconds",
      "How long the last run that ended well took",
      each(({ done }) => (done === null ? null : (done.finishedAt - done.startedAt) / 1000)),
      ["job"],
    );
    metrics.gauge(
      "rollcall_job_next_run_seconds",
      "When the job is due next, in seconds since 1970",
      each(({ due }) => (due === null ? null : due / 1000)),
      ["job"],
    );
    metrics.gauge(
      "rollcall_job_lag_seconds",
      "How long the job has been due without a worker that began it",
      each(({ due, running }) => (due === null || running ? 0 : Math.max(0, clock.now() - due) / 1000)),
      ["job"],
    );
  }

  seen(job: string, sighting: Sighting): void {
    this.#jobs.set(job, sighting);
  }
}
