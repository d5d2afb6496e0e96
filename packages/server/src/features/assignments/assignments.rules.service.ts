import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { assignmentsErrors, putWorkRules, usualRules, type WorkRules } from "./assignments.contract.ts";
import * as repo from "./assignments.repo.ts";
import { rulesOfRow } from "./assignments.shown.service.ts";
import type { WorkStore } from "./assignments.store.service.ts";

export interface RulesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly store: WorkStore;
}

/** How units of the viewer's job get calls. */
export class WorkRulesService {
  readonly #deps: RulesDeps;

  constructor(deps: RulesDeps) {
    this.#deps = deps;
  }

  async get({ job }: Viewer): Promise<WorkRules> {
    return await this.#deps.db.read("assignments.rules", async (tx) => rulesOfRow((await repo.rulesOf(tx, [job])).get(job)));
  }

  async put(call: CallContext, { version, mode, completes }: WorkRules): Promise<WorkRules> {
    const { db, audit, clock, store } = this.#deps;
    const { job } = call.viewer();
    return await db.write(putWorkRules.id, async (tx) => {
      const { version: stored, ...before } = rulesOfRow(await repo.lockRules(tx, rowOf(job, usualRules, clock.now())));
      if (stored !== version) throw new AppError(assignmentsErrors.stale, { extra: { current: { ...before, version: stored } } });
      const sent = { mode, completes };
      const after: WorkRules = { ...sent, version: version + 1 };
      await repo.saveRules(tx, rowOf(job, after, clock.now()));
      await audit.record(tx, call.actor, { action: putWorkRules.id, object: { kind: "job", id: job }, before, after: sent });
      await store.changed(tx, [job]);
      return after;
    });
  }
}

const rowOf = (job: string, { mode, completes, version }: WorkRules, now: number): repo.RulesRow => {
  return { job, mode, completes: completes ? 1 : 0, version, updated_at: now };
};
