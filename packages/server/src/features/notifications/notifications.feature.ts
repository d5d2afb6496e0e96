import { defineFeature } from "#core/feature.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { notificationsContract } from "./notifications.contract.ts";
import { notificationsRetention, purgeNotifications } from "./notifications.jobs.ts";
import { notificationsRoutes, notificationsTopics } from "./notifications.routes.ts";
import { notifications, notificationsPreferences } from "./notifications.schema.ts";
import { createNotificationsService } from "./notifications.service.ts";

export const notificationsFeature = defineFeature({
  name: "notifications",
  needs: ["accounts", "audit"],
  contract: { ...notificationsContract, retention: [purgeNotifications] },
  tables: [notifications, notificationsPreferences],
  create(context) {
    const service = createNotificationsService({ ...context, audit: context.use(auditApi) });
    context.use(accountsApi).onGone(service.forgetAccount);
    return {
      api: service.api,
      routes: notificationsRoutes(service),
      topics: notificationsTopics(),
      retention: [notificationsRetention(service)],
    };
  },
});
