import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { authApi } from "#features/auth/auth.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { setupContract } from "./setup.contract.ts";
import { setupRoutes } from "./setup.routes.ts";
import { createSetupService } from "./setup.service.ts";

export const setupFeature = defineFeature<Config>({
  name: "setup",
  needs: ["accounts", "auth", "settings", "sync"],
  contract: setupContract,
  tables: [],
  create(context) {
    const service = createSetupService({
      ...context,
      accounts: context.use(accountsApi),
      auth: context.use(authApi),
      settings: context.use(settingsApi),
      sync: context.use(syncApi),
      log: context.logs.subsystem("setup"),
    });
    return { routes: setupRoutes(service), start: service.start };
  },
});
