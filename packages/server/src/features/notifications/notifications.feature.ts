import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { BrowserDelivery } from "./notifications.browser.service.ts";
import { notificationsContract } from "./notifications.contract.ts";
import { notificationsEvents } from "./notifications.events.ts";
import { notificationsRetention, purgeNotifications } from "./notifications.schedules.ts";
import { notificationsRoutes, notificationsTopics } from "./notifications.routes.ts";
import { notifications, notificationsPreferences } from "./notifications.schema.ts";
import { NotificationsService } from "./notifications.service.ts";

export const notificationsFeature = defineFeature({
  name: "notifications",
  about:
    "What a person should know, kept until it is read. A *channel* is how it is shown: bell, toast, sound. A *delivery* is a way to people, with its channels: the browser, and those that other features register. A *digest* shows several as one, with their number.",
  needs: ["accounts", "audit"],
  contract: { ...notificationsContract, retention: [purgeNotifications] },
  tables: [notifications, notificationsPreferences],
  create(context) {
    const service = new NotificationsService({ ...context, audit: context.use(auditApi) });
    return {
      api: service,
      routes: notificationsRoutes(service),
      events: notificationsEvents(service),
      topics: notificationsTopics(),
      deliveries: [new BrowserDelivery(context.outbox)],
      retention: [notificationsRetention(service)],
    };
  },
});
