import { defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { PanelService } from "./accounts.panel.service.ts";
import { deletedKeptMs } from "./accounts.policy.ts";

/** Tokens that expired, and deleted accounts that can no longer be restored. */
export const cleanUpAccounts = defineRetention({
  id: "accounts.cleanUp",
  cron: "41 4 * * *",
  jitterMs: 600_000,
  steps: {
    tokens: { tables: ["accounts_tokens"], kept: { ms: deletedKeptMs } },
    accounts: { tables: ["accounts", "accounts_tokens"], kept: { ms: deletedKeptMs }, atOnce: 50, audited: true },
  },
});

export function accountsRetention(panel: PanelService): RetentionHandler {
  return bindRetention(cleanUpAccounts, panel.prune);
}
