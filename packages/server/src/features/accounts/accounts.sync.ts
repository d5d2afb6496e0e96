import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import { syncAccounts } from "./accounts.contract.ts";
import type { AccountsSyncService } from "./accounts.sync.service.ts";

export function accountsSync(service: AccountsSyncService): { routes: Binding[]; kinds: SyncKind[] } {
  return {
    routes: [bind(syncAccounts, async (call, { body }) => await service.sync(call, body))],
    kinds: [{ kind: "accounts", count: async (tx) => await service.count(tx) }],
  };
}
