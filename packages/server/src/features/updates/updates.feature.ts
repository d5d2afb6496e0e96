import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { version } from "#core/version.ts";
import { accessApi } from "#features/access/access.api.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { updatesContract } from "./updates.contract.ts";
import { checkUpdates, updatesSchedules } from "./updates.schedules.ts";
import { updatesRoutes } from "./updates.routes.ts";
import { updatesChecks } from "./updates.schema.ts";
import { UpdatesService } from "./updates.service.ts";

export const updatesFeature = defineFeature<Config>({
  name: "updates",
  about: "Whether there is a newer version, according to the *release feed*, with its notes.",
  needs: ["access", "accounts", "notifications"],
  contract: { ...updatesContract, schedules: [checkUpdates] },
  tables: [updatesChecks],
  create(context) {
    const { updateCheck } = context.config;
    const service = new UpdatesService({
      ...context,
      settings: updateCheck,
      running: version,
      scheduleId: checkUpdates.id,
      log: context.logs.subsystem("updates"),
      access: context.use(accessApi),
      accounts: context.use(accountsApi),
      notifications: context.use(notificationsApi),
    });
    return {
      routes: updatesRoutes(service),
      schedules: updatesSchedules(service, updateCheck.enabled && updateCheck.feedURL !== null ? updateCheck.interval : null),
      checks: [{ id: "updates.release", run: async () => await service.findings() }],
      start: async () => await service.start(),
    };
  },
});
