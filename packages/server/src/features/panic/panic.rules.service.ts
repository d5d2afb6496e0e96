import type { Viewer } from "#core/actor.ts";
import type { OutputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type getPanicRules, panicErrors, type PanicRules, putPanicRules, usualRules } from "./panic.contract.ts";
import * as repo from "./panic.repo.ts";
import type { PanicStore } from "./panic.store.service.ts";

export interface RulesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly jobs: Pick<JobsApi, "job" | "labels" | "list" | "meanings">;
  readonly store: PanicStore;
}

const rulesOfRow = (row: repo.RulesRow | null): PanicRules =>
  row === null ? usualRules : { version: row.version, to: row.to_job };

/** Who gets the panics of the viewer's job. */
export class PanicRulesService {
  readonly #deps: RulesDeps;

  constructor(deps: RulesDeps) {
    this.#deps = deps;
  }

  async get({ job }: Viewer): Promise<OutputOf<typeof getPanicRules>> {
    const { db, jobs } = this.#deps;
    return await db.read("panic.rules", async (tx) => {
      const labels = await jobs.labels(tx);
      const { isWork } = await jobs.meanings(tx);
      const named = (name: string) => ({ name, label: labels.label(name) });
      const others = (await jobs.list(tx)).filter(({ name }) => name !== job && isWork(name));
      return {
        rules: rulesOfRow(await repo.rulesOf(tx, job)),
        jobs: others.map(({ name }) => named(name)),
        from: (await repo.naming(tx, job)).map(named),
      };
    });
  }

  async put(call: CallContext, { version, to }: PanicRules): Promise<PanicRules> {
    const { db, audit, clock, jobs, store } = this.#deps;
    const { job } = call.viewer();
    return await db.write(putPanicRules.id, async (tx) => {
      const now = clock.now();
      const before = rulesOfRow(await repo.lockRules(tx, { job, to_job: null, version: 0, updated_at: now }));
      if (before.version !== version) throw new AppError(panicErrors.stale, { extra: { current: before } });
      if (to === job) throw new AppError(panicErrors.ownJob);
      if (to !== null && ((await jobs.job(tx, to)) === null || !(await jobs.meanings(tx)).isWork(to)))
        throw new AppError(panicErrors.jobNotFound, { params: { job: to } });
      const after: PanicRules = { version: version + 1, to };
      await repo.saveRules(tx, { job, to_job: to, version: after.version, updated_at: now });
      const object = { kind: "job", id: job };
      await audit.record(tx, call.actor, { action: putPanicRules.id, object, before: { to: before.to }, after: { to } });
      await store.rulesChanged(
        tx,
        [job, before.to, to].flatMap((one) => one ?? []),
      );
      return after;
    });
  }
}
