import { Type } from "typebox";
import { defineJob } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import type { NoticesService } from "./notices.service.ts";

/** Forgets notices that were removed or ran out a month ago. */
export const purgeNotices = defineJob({
  id: "notices.purge",
  payload: Type.Object({}),
  schedule: "41 4 * * *",
  jitterMs: 600_000,
});

export function noticesJobs(service: NoticesService): JobHandler[] {
  return [{ job: purgeNotices, run: async (_payload, signal) => await service.purge(signal) }];
}
