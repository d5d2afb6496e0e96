import { type Database, runTask, type TaskHandler } from "#core/ports/index.ts";
import { checkSource, endDueDuty } from "./duty.contract.ts";
import type { DutyService } from "./duty.service.ts";
import type { DutySources } from "./duty.sources.service.ts";

export interface DutyTasksDeps {
  readonly db: Database;
  readonly service: Pick<DutyService, "endDue">;
  readonly sources: Pick<DutySources, "check" | "plan">;
}

/**
 * Each has its effect in a unit of work of its own, for the one that ends a task locks it first: a call of a source
 * locks its people first and then plans these tasks. Both effects may happen twice.
 */
export function dutyTasks({ db, service, sources }: DutyTasksDeps): TaskHandler[] {
  return [
    runTask({
      task: endDueDuty,
      run: async ({ payload }) => await db.write(endDueDuty.id, async (tx) => await service.endDue(tx, payload.citizenId)),
    }),
    runTask({
      task: checkSource,
      run: async ({ payload }) => await db.write(checkSource.id, async (tx) => await sources.check(tx, payload.source)),
      store: async (tx, { payload }, dueAt) => await sources.plan(tx, payload.source, dueAt),
    }),
  ];
}
