import type { Finding } from "#core/feature.ts";
import type { Clock, Database, Metrics } from "#core/ports/index.ts";
import { clockOf, restartsOf } from "./duty.calls.policy.ts";
import * as repo from "./duty.repo.ts";

export interface DutyCallsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** A source that has not called for so long is gone, which is no news any more. Milliseconds. */
const goneMs = 24 * 60 * 60_000;
/** Any caller of the Sync API may invent names of sources: no more of them become time series. */
const mostSources = 100;
/** So many jobs are named. */
const mostJobs = 5;

/** What operators see of the calls of game servers: when the last one came, their clocks and their restarts. */
export class DutyCalls {
  readonly #deps: DutyCallsDeps;

  constructor(deps: DutyCallsDeps) {
    this.#deps = deps;
    deps.metrics.gauge(
      "rollcall_gameserver_last_call_seconds",
      "Time of the last call with duty or positions, in seconds since 1970",
      async () => await this.#samples(),
      ["source"],
    );
  }

  async #samples() {
    const { db, clock } = this.#deps;
    const after = clock.now() - goneMs;
    const sources = await db.read("duty.lastCalls", async (tx) => await repo.listSources(tx));
    const called = [...sources].filter(([, { lastCallAt }]) => lastCallAt > after);
    return called
      .slice(0, mostSources)
      .map(([source, { lastCallAt }]) => ({ labels: { source }, value: Math.round(lastCallAt / 1000) }));
  }

  /** For the doctor. */
  async findings(): Promise<Finding[]> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    return await db.read("duty.calls", async (tx) => {
      const sources = await repo.listSources(tx);
      const found: Finding[] = [];
      for (const [source, known] of sources) {
        const { lastCallAt } = known;
        if (now - lastCallAt > goneMs) continue;
        const minutes = Math.round((now - lastCallAt) / 60_000);
        if (minutes === 0) found.push({ id: "duty.calls", state: "ok", params: { source } });
        else found.push({ id: "duty.lastCall", state: "ok", params: { source, count: minutes } });
        const wrong = clockOf(known, now);
        if (wrong !== null) found.push({ id: `duty.${wrong.name}`, state: "warning", params: { source, count: wrong.count } });
        const restarts = restartsOf(known, now);
        if (restarts > 0) found.push({ id: "duty.restarts", state: "warning", params: { source, restarts } });
      }
      const isSilent = [...sources.values()].every(({ lastCallAt }) => now - lastCallAt > goneMs);
      const jobs = isSilent ? await repo.jobsThatWaitForTheGame(tx) : [];
      if (jobs.length > 0)
        found.push({ id: "duty.noSource", state: "hint", params: { jobs: jobs.slice(0, mostJobs).join(", ") } });
      return found;
    });
  }
}
