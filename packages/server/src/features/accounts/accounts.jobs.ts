import { Type } from "typebox";
import { defineJob } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import type { PanelService } from "./accounts.panel.service.ts";

/** Removes used up tokens, and accounts whose deletion can no longer be taken back. */
export const cleanUpAccounts = defineJob({
  id: "accounts.cleanUp",
  payload: Type.Object({}),
  schedule: "41 4 * * *",
  jitterMs: 600_000,
});

export function accountsJobs(panel: PanelService): JobHandler[] {
  return [{ job: cleanUpAccounts, run: async () => await panel.cleanUp() }];
}
