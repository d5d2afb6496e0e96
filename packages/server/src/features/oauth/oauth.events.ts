import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { accountsPurged } from "#features/accounts/accounts.contract.ts";
import type { OauthService } from "./oauth.service.ts";

export function oauthEvents(service: OauthService): EventReaction[] {
  return [
    reactTo({
      consumer: "oauth.purgeAccounts",
      event: accountsPurged,
      handle: async (tx, { payload }) => await service.purgeAccounts(tx, payload.accountIds),
    }),
  ];
}
