import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { accountsPurged } from "#features/accounts/accounts.contract.ts";
import type { ExportsService } from "./exports.service.ts";

export function exportsEvents(service: ExportsService): EventReaction[] {
  return [
    reactTo({
      consumer: "exports.purgeAccounts",
      event: accountsPurged,
      handle: async (tx, { payload }) => await service.purgeAccounts(tx, payload.accountIds),
    }),
  ];
}
