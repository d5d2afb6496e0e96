import { defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { PanelService } from "./accounts.panel.service.ts";
import { deletedKeptMs } from "./accounts.policy.ts";

/** Tokens that are no use any more, and accounts whose deletion can no longer be taken back. */
export const cleanUpAccounts = defineRetention({
  id: "accounts.cleanUp",
  schedule: "41 4 * * *",
  jitterMs: 600_000,
  steps: {
    tokens: { tables: ["accounts_tokens"], kept: { ms: deletedKeptMs } },
    accounts: { tables: ["accounts", "accounts_tokens"], kept: { ms: deletedKeptMs }, atOnce: 50, audited: true },
  },
});

export function accountsRetention(panel: PanelService): RetentionHandler {
  return bindRetention(cleanUpAccounts, { tokens: panel.removeTokens, accounts: panel.removeDeleted });
}
