import { Type } from "typebox";
import { defineJob } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import type { AuthService } from "./auth.service.ts";

/** Removes ended sessions and forgotten failures, every night. */
export const cleanUpSessions = defineJob({
  id: "auth.cleanUp",
  payload: Type.Object({}),
  schedule: "17 4 * * *",
  jitterMs: 600_000,
});

export function authJobs(service: AuthService): JobHandler[] {
  return [{ job: cleanUpSessions, run: async () => await service.cleanUp() }];
}
