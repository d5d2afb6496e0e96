import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { settingsChanged } from "#features/settings/settings.contract.ts";
import type { AdminsService } from "./accounts.admins.service.ts";

export function accountsEvents(admins: AdminsService): EventReaction[] {
  return [
    reactTo({
      consumer: "accounts.settleAdmins",
      event: settingsChanged,
      handle: async (tx) => await admins.reconcileAllAdmins(tx, { kind: "system", name: "settings" }),
    }),
  ];
}
