import { Type } from "typebox";
import { defineJob } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import type { NotificationsService } from "./notifications.service.ts";

/** Removes notifications older than 90 days, every night. */
export const purgeNotifications = defineJob({
  id: "notifications.purge",
  payload: Type.Object({}),
  schedule: "29 3 * * *",
  jitterMs: 600_000,
});

export function notificationsJobs(service: NotificationsService): JobHandler[] {
  return [{ job: purgeNotifications, run: async () => await service.purgeOld() }];
}
