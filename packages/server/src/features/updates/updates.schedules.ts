import { Type } from "typebox";
import { defineSchedule } from "#core/contract/index.ts";
import type { ScheduleHandler } from "#core/feature.ts";
import type { UpdatesService } from "./updates.service.ts";

/** Requests the release feed, with jitter, so that not every instance requests it in the same second. */
export const checkUpdates = defineSchedule({ id: "updates.check", payload: Type.Object({}), jitterMs: 30_000 });

/** Never runs when `everyMs` is null. */
export function updatesSchedules(service: UpdatesService, everyMs: number | null): ScheduleHandler[] {
  return [{ schedule: checkUpdates, ...(everyMs === null ? {} : { everyMs }), run: async () => await service.check() }];
}
