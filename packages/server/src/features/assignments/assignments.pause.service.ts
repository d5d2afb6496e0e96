import { Overtaken } from "#core/db/errors.ts";
import type { Tx } from "#core/ports/index.ts";
import type { CallsApi } from "#features/calls/calls.api.ts";
import type { UnitsApi, UnitWork } from "#features/units/units.api.ts";
import { handBack } from "./assignments.contract.ts";
import { isWorkingState } from "./assignments.policy.ts";
import * as repo from "./assignments.repo.ts";
import { rulesOfRow } from "./assignments.shown.service.ts";
import type { WorkStore } from "./assignments.store.service.ts";

export interface WorkPauseDeps {
  readonly calls: Pick<CallsApi, "open" | "shown">;
  readonly units: Pick<UnitsApi, "held">;
  readonly store: WorkStore;
}

/** A unit that has a break, or is no longer available, hands back what it works. */
export class WorkPause implements UnitWork {
  readonly #deps: WorkPauseDeps;

  constructor(deps: WorkPauseDeps) {
    this.#deps = deps;
  }

  async held(tx: Tx, unitId: number): ReturnType<UnitWork["held"]> {
    const { calls, units, store } = this.#deps;
    const ids = await this.#worked(tx, unitId).then((rows) => rows.map(({ call_id: id }) => id));
    for (const id of ids.toSorted((a, b) => a - b)) await calls.open(tx, id);
    return async (call, reason) => {
      const viewer = call.viewer();
      const rows = await this.#worked(tx, unitId);
      const unit = (await units.held(tx, [unitId])).get(unitId);
      // Work began on a call that is not locked.
      if (unit === undefined || rows.some(({ call_id: id }) => !ids.includes(id))) throw new Overtaken();
      const shown = (await calls.shown(tx, viewer, ids)).flatMap((one) => one.units);
      const isMay = ({ id }: repo.AssignmentRow) => shown.some((on) => on.id === id && on.may.includes("handBack"));
      if (!rows.every(isMay)) {
        const { mode } = rulesOfRow((await repo.rulesOf(tx, [unit.job])).get(unit.job));
        return mode === "central" && unit.crew.includes(viewer.characterId) ? "central" : "kept";
      }
      for (const row of rows) {
        await store.move(tx, call.actor, row, unit, { state: "left", action: handBack.id, entries: ["left"], reason });
        await store.settled(tx, row.call_id, [unit.job]);
      }
      return null;
    };
  }

  async #worked(tx: Tx, unitId: number): Promise<repo.AssignmentRow[]> {
    return (await repo.callsOfUnit(tx, unitId)).filter(({ state }) => isWorkingState(state));
  }
}
