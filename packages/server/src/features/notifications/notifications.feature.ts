import { defineFeature } from "#core/feature.ts";
import { notificationsContract } from "./notifications.contract.ts";
import { notifications } from "./notifications.schema.ts";
import { createNotificationsService } from "./notifications.service.ts";

export const notificationsFeature = defineFeature({
  name: "notifications",
  needs: [],
  contract: notificationsContract,
  tables: [notifications],
  create(context) {
    const service = createNotificationsService(context);
    return { api: service.api };
  },
});
