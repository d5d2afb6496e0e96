import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import type { AccountsApi } from "./accounts.api.ts";
import { accountsContract } from "./accounts.contract.ts";
import { accountsRetention, cleanUpAccounts } from "./accounts.jobs.ts";
import { createPanelService } from "./accounts.panel.service.ts";
import { accountsRoutes } from "./accounts.routes.ts";
import { accounts, accountsTokens } from "./accounts.schema.ts";
import { createAccountsService } from "./accounts.service.ts";
import { accountsSync } from "./accounts.sync.ts";
import { createAccountsSync } from "./accounts.sync.service.ts";
import { createTokensService } from "./accounts.tokens.service.ts";

export const accountsFeature = defineFeature<Config>({
  name: "accounts",
  needs: ["audit", "settings", "sync"],
  contract: { ...accountsContract, retention: [cleanUpAccounts] },
  tables: [accounts, accountsTokens],
  create(context) {
    const { config } = context;
    const shared = { ...context, audit: context.use(auditApi), settings: context.use(settingsApi) };
    const service = createAccountsService(shared);
    const tokens = createTokensService({ ...shared, accounts: service, publicUrl: config.http.publicURL });
    const panel = createPanelService({ ...shared, accounts: service, tokens, admins: config.auth });
    const sync = accountsSync(createAccountsSync({ ...context, sync: context.use(syncApi), accounts: service }));
    const api: AccountsApi = { ...service.api, register: tokens.register, reset: tokens.reset };
    return {
      api,
      routes: [...sync.routes, ...accountsRoutes(panel, tokens)],
      retention: [accountsRetention(panel)],
      sync: sync.kinds,
    };
  },
});
