import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { accountsPurged } from "#features/accounts/accounts.contract.ts";
import type { NotificationsService } from "./notifications.service.ts";

export function notificationsEvents(service: NotificationsService): EventReaction[] {
  return [
    reactTo({
      consumer: "notifications.purgeAccounts",
      event: accountsPurged,
      handle: async (tx, { payload }) => await service.purgeAccounts(tx, payload.accountIds),
    }),
  ];
}
