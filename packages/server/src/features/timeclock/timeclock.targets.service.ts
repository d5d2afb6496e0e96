import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { putTargets, type Target, type Targets, timeclockErrors } from "./timeclock.contract.ts";
import * as repo from "./timeclock.corrections.repo.ts";
import type { TimeclockService } from "./timeclock.service.ts";

export interface TargetsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
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
    // The last one of a grade that is named twice counts.
    const wanted = [...new Map(targets.map((one) => [one.grade, one])).values()].toSorted((a, b) => a.grade - b.grade);
    return await db.write(putTargets.id, async (tx) => {
      const now = clock.now();
      const before = shown(await repo.lockTargets(tx, { job, targets: "[]", version: 0, updated_at: now }));
      if (before.version !== version) throw new AppError(timeclockErrors.stale, { extra: { current: before } });
      const after = { version: version + 1, targets: wanted };
      await repo.saveTargets(tx, job, { targets: JSON.stringify(wanted), version: after.version, updated_at: now });
      const object = { kind: "timeclock.targets", id: job, name: job };
      const said = ({ targets: all }: Targets) => ({ targets: all.map(({ grade, hours }) => `${grade}: ${hours}`).join(", ") });
      await audit.record(tx, call.actor, { action: putTargets.id, object, before: said(before), after: said(after) });
      await service.changed(tx, [job]);
      return after;
    });
  }
}
