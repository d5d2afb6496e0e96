import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { NotificationsService } from "./notifications.service.ts";

export const purgeNotifications = defineRetention({
  id: "notifications.purge",
  cron: "29 3 * * *",
  jitterMs: 600_000,
  steps: { notifications: { tables: ["notifications"], kept: { ms: days(90) } } },
});

export function notificationsRetention(service: NotificationsService): RetentionHandler {
  return bindRetention(purgeNotifications, {
    notifications: async (tx, before, limit) => await service.prune(tx, before, limit),
  });
}
