import { Type } from "typebox";
import { defineJob } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import type { UpdatesService } from "./updates.service.ts";

/** Asks the release feed; spread, so that not every instance asks in the same second. */
export const checkUpdates = defineJob({ id: "updates.check", payload: Type.Object({}), jitterMs: 30_000 });

/** Without `everyMs` it never recurs. */
export function updatesJobs(service: UpdatesService, everyMs: number | null): JobHandler[] {
  return [{ job: checkUpdates, ...(everyMs === null ? {} : { everyMs }), run: async () => await service.check() }];
}
