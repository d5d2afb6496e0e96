import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import { syncAccounts } from "./accounts.contract.ts";
import type { createAccountsSync } from "./accounts.sync.service.ts";

export function accountsSync(sync: ReturnType<typeof createAccountsSync>): {
  routes: Binding[];
  kinds: SyncKind[];
} {
  return {
    routes: [bind(syncAccounts, async (call, { body }) => await sync.apply(call, body))],
    kinds: [{ kind: "accounts", count: sync.count }],
  };
}
