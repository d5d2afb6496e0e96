import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { invalid } from "#core/invalid.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { putTargets, type Target, type Targets, timeclockErrors } from "./timeclock.contract.ts";
import * as repo from "./timeclock.corrections.repo.ts";
import type { TimeclockService } from "./timeclock.service.ts";

export interface TargetsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly jobs: Pick<JobsApi, "job">;
  readonly service: Pick<TimeclockService, "changed">;
}

const shown = (row: repo.TargetsRow | null): Targets =>
  row === null ? { version: 0, targets: [] } : { version: row.version, targets: JSON.parse(row.targets) as Target[] };

/** Hours a week that a job wants of its grades. */
export class TargetsService {
  readonly #deps: TargetsDeps;

  constructor(deps: TargetsDeps) {
    this.#deps = deps;
  }

  async of(tx: Tx, job: string): Promise<Targets> {
    return shown(await repo.targetsRow(tx, job));
  }

  async get({ job }: Viewer): Promise<Targets> {
    return await this.#deps.db.read("timeclock.targets", async (tx) => await this.of(tx, job));
  }

  async put(call: CallContext, { version, targets }: Targets): Promise<Targets> {
    const { db, clock, audit, service } = this.#deps;
    const { job } = call.viewer();
    const wanted = targets.toSorted((a, b) => a.grade - b.grade);
    if (new Set(wanted.map(({ grade }) => grade)).size < wanted.length)
      throw invalid("body.targets", "must name each grade once");
    return await db.write(putTargets.id, async (tx) => {
      const now = clock.now();
      const before = shown(await repo.lockTargets(tx, { job, targets: "[]", version: 0, updated_at: now }));
      if (before.version !== version) throw new AppError(timeclockErrors.stale, { extra: { current: before } });
      await this.#requireGrades(tx, job, wanted, before);
      const after = { version: version + 1, targets: wanted };
      await repo.saveTargets(tx, job, { targets: JSON.stringify(wanted), version: after.version, updated_at: now });
      const object = { kind: "timeclock.targets", id: job, name: job };
      const said = ({ targets: all }: Targets) => ({ targets: all.map(({ grade, hours }) => `${grade}: ${hours}`).join(", ") });
      await audit.record(tx, call.actor, { action: putTargets.id, object, before: said(before), after: said(after) });
      await service.changed(tx, [job]);
      return after;
    });
  }

  /** One that the game has taken away may stay until somebody removes it. */
  async #requireGrades(tx: Tx, job: string, wanted: readonly Target[], before: Targets): Promise<void> {
    const grades = ((await this.#deps.jobs.job(tx, job))?.grades ?? []).map(({ grade }) => grade);
    const known = new Set([...grades, ...before.targets.map(({ grade }) => grade)]);
    const unknown = wanted.find(({ grade }) => !known.has(grade));
    if (unknown !== undefined)
      throw invalid("body.targets", `must name grades of the job: ${grades.join(", ") || "it has none"}, not ${unknown.grade}`);
  }
}
