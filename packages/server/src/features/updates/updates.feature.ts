import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { version } from "#core/version.ts";
import { accessApi } from "#features/access/access.api.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { updatesContract } from "./updates.contract.ts";
import { checkUpdates, updatesJobs } from "./updates.jobs.ts";
import { updatesRoutes } from "./updates.routes.ts";
import { updatesChecks } from "./updates.schema.ts";
import { createUpdatesService } from "./updates.service.ts";

/** Where releases are announced. */
const builtInFeed = "https://updates.rollcall.example/releases.json";

export const updatesFeature = defineFeature<Config>({
  name: "updates",
  needs: ["access", "accounts", "notifications"],
  contract: { ...updatesContract, jobs: [checkUpdates] },
  tables: [updatesChecks],
  create(context) {
    const { updateCheck } = context.config;
    const service = createUpdatesService(
      {
        ...context,
        settings: updateCheck,
        feedURL: updateCheck.feedURL ?? builtInFeed,
        running: version,
        log: context.logs.subsystem("updates"),
        access: context.use(accessApi),
        accounts: context.use(accountsApi),
        notifications: context.use(notificationsApi),
      },
      checkUpdates.id,
    );
    return {
      routes: updatesRoutes(service),
      jobs: updatesJobs(service, updateCheck.enabled ? updateCheck.interval : null),
      checks: [{ id: "updates.release", run: service.findings }],
      start: service.start,
    };
  },
});
