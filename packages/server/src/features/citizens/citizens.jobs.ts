import { Type } from "typebox";
import { defineJob } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import type { CitizensService } from "./citizens.service.ts";

/** Removes citizens for good whose grace period is over, every night. */
export const purgeCitizens = defineJob({
  id: "citizens.purge",
  payload: Type.Object({}),
  schedule: "41 3 * * *",
  jitterMs: 600_000,
});

export function citizensJobs(service: CitizensService): JobHandler[] {
  return [{ job: purgeCitizens, run: async () => await service.purgeDeleted() }];
}
