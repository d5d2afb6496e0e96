import type { Demo } from "#core/demo.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import { createStatus, createUnit } from "./units.contract.ts";
import { objectOf, type UnitCrew } from "./units.crew.service.ts";
import { demoCrews, type DemoJob, demoJobs } from "./units.demo.policy.ts";
import { setByHand } from "./units.policy.ts";
import * as repo from "./units.repo.ts";
import type { UnitsService } from "./units.service.ts";
import * as statuses from "./units.statuses.repo.ts";
import type { StatusesService } from "./units.statuses.service.ts";
import { standingOf, type UnitStore } from "./units.store.service.ts";

export interface UnitsDemoDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly duty: Pick<DutyApi, "in">;
  readonly store: UnitStore;
  readonly crew: UnitCrew;
  readonly statuses: StatusesService;
  readonly service: UnitsService;
}

/** Units of the demo city, with those on duty as their crews. */
export class UnitsDemo {
  readonly #deps: UnitsDemoDeps;

  constructor(deps: UnitsDemoDeps) {
    this.#deps = deps;
  }

  async load(demo: Demo): Promise<number> {
    return await this.#deps.db.write("units.demo", async (tx) => {
      let count = 0;
      for (const one of demoJobs) count += await this.#job(tx, demo, one);
      return count;
    });
  }

  /** Nothing where the job has units already. */
  async #job(tx: Tx, { actor }: Demo, { job, statuses: planned, units }: DemoJob): Promise<number> {
    const { store, service, duty, audit } = this.#deps;
    await store.lock(tx, job);
    if ((await repo.unitsIn(tx, [job])).length > 0) return 0;
    const ids: number[] = [];
    for (const content of planned) {
      const id = await this.#deps.statuses.add(tx, job, content, await statuses.statusesOf(tx, job));
      const object = { kind: "units.status", id, name: content.name };
      await audit.record(tx, actor, { action: createStatus.id, object, info: { job } });
      ids.push(id);
    }
    const crews = demoCrews(units, await duty.in(tx, [job]));
    for (const [at, { content, base, status }] of units.entries()) {
      const id = await service.add(tx, { job, content, temporary: false, by: null });
      await audit.record(tx, actor, { action: createUnit.id, object: objectOf({ id, name: content.name }), info: { job } });
      for (const citizenId of crews[at]!)
        await this.#deps.crew.enter(tx, (await repo.find(tx, id))!, { id: citizenId }, null, { characterId: citizenId, job });
      const [by] = crews[at]!;
      if (by !== undefined) await this.#status(tx, id, { base, id: status === undefined ? null : ids[status]! }, by);
    }
    await store.changed(tx, job);
    return units.length;
  }

  async #status(tx: Tx, id: number, wanted: Parameters<typeof setByHand>[1], by: number): Promise<void> {
    const unit = (await repo.find(tx, id))!;
    const standing = { ...standingOf(unit, (await repo.membersOf(tx, [id])).length), name: unit.name };
    const change = setByHand(standing, wanted, false, this.#deps.clock.now());
    if (change !== null) await this.#deps.store.apply(tx, unit, change, by);
  }
}
