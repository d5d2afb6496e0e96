import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { authApi } from "#features/auth/auth.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import type { SetupApi } from "./setup.api.ts";
import { setupContract } from "./setup.contract.ts";
import { setupRoutes } from "./setup.routes.ts";
import { setupNonces } from "./setup.schema.ts";
import { SetupService } from "./setup.service.ts";

export const setupFeature = defineFeature<Config>({
  name: "setup",
  about: "The first steps of a new instance, up to a working admin and Sync API token.",
  needs: ["accounts", "auth", "settings", "sync"],
  contract: setupContract,
  tables: [setupNonces],
  create(context) {
    const service = new SetupService({
      ...context,
      accounts: context.use(accountsApi),
      auth: context.use(authApi),
      settings: context.use(settingsApi),
      sync: context.use(syncApi),
    });
    const api: SetupApi = {
      needed: async () => (await service.state()).needed,
      address: async () => await service.address(),
    };
    return { api, routes: setupRoutes(service), start: async () => await service.start() };
  },
});
