import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { accountsContract } from "./accounts.contract.ts";
import { accounts } from "./accounts.schema.ts";
import { createAccountsService } from "./accounts.service.ts";
import { accountsSync } from "./accounts.sync.ts";
import { createAccountsSync } from "./accounts.sync.service.ts";

export const accountsFeature = defineFeature({
  name: "accounts",
  needs: ["audit", "sync"],
  contract: accountsContract,
  tables: [accounts],
  create(context) {
    const service = createAccountsService({ ...context, audit: context.use(auditApi) });
    const sync = accountsSync(createAccountsSync({ ...context, sync: context.use(syncApi), accounts: service }));
    return { api: service.api, routes: sync.routes, sync: sync.kinds };
  },
});
