import { type Demo, demoPerson } from "#core/demo.ts";
import type { Database } from "#core/ports/index.ts";
import type { CallsApi } from "#features/calls/calls.api.ts";
import type { UnitsApi } from "#features/units/units.api.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import { offerUnits, setProgress } from "./assignments.contract.ts";
import * as repo from "./assignments.repo.ts";
import type { WorkStore } from "./assignments.store.service.ts";

export interface AssignmentsDemoDeps {
  readonly db: Database;
  readonly calls: Pick<CallsApi, "open" | "newest">;
  readonly units: Pick<UnitsApi, "in" | "held">;
  readonly store: WorkStore;
}

const jobs = ["police", "ambulance"] as const;

/** In each job of the demo city, the first unit with a crew is on its way to a call. */
export class AssignmentsDemo {
  readonly #deps: AssignmentsDemoDeps;

  constructor(deps: AssignmentsDemoDeps) {
    this.#deps = deps;
  }

  async load(demo: Demo): Promise<number> {
    let count = 0;
    for (const job of jobs) count += await this.#job(demo, job);
    return count;
  }

  async #job({ actor }: Demo, job: string): Promise<number> {
    const { db, calls, units, store } = this.#deps;
    return await db.write("assignments.demo", async (tx) => {
      const id = await calls.newest(tx, job);
      const call = id === null ? null : await calls.open(tx, id);
      const first = (await units.in(tx, [job])).find(({ crew, base }) => crew.length > 0 && base === "available");
      if (call === null || first === undefined || (await repo.openOf(tx, call.id)).length > 0) return 0;
      const unit = (await units.held(tx, [first.id])).get(first.id);
      if (unit === undefined) return 0;
      const by = unit.crew[0] ?? null;
      const name = by === null ? undefined : (await namesOfCitizens(tx, [by])).get(by);
      const writer = by === null || name === undefined ? actor : demoPerson({ id: by, name, job });
      const added = await store.add(tx, writer, call, unit, { entry: "assigned", action: offerUnits.id, by });
      const row = (await repo.find(tx, added))!;
      await store.move(tx, writer, row, unit, { state: "enRoute", action: setProgress.id, entries: ["enRoute"] });
      await store.settled(tx, call.id, [job]);
      return 1;
    });
  }
}
