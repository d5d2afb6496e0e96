import { Type } from "typebox";
import { defineJob } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import type { OauthService } from "./oauth.service.ts";

/** Removes sign-ins that were begun and never came back. */
export const cleanUpAttempts = defineJob({
  id: "oauth.cleanUp",
  payload: Type.Object({}),
  schedule: "41 * * * *",
  jitterMs: 120_000,
});

export function oauthJobs(service: OauthService): JobHandler[] {
  return [{ job: cleanUpAttempts, run: async () => await service.cleanUp() }];
}
