import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { accountsPurged } from "#features/accounts/accounts.contract.ts";
import type { DraftsService } from "./drafts.service.ts";

export function draftsEvents(service: DraftsService): EventReaction[] {
  return [
    reactTo({
      consumer: "drafts.purgeAccounts",
      event: accountsPurged,
      handle: async (tx, { payload }) => await service.purgeAccounts(tx, payload.accountIds),
    }),
  ];
}
