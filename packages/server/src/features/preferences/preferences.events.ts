import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { accountsPurged } from "#features/accounts/accounts.contract.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import type { PreferencesService } from "./preferences.service.ts";

export function preferencesEvents(service: PreferencesService): EventReaction[] {
  return [
    reactTo({
      consumer: "preferences.purgeAccounts",
      event: accountsPurged,
      handle: async (tx, { payload }) => await service.purgeAccounts(tx, payload.accountIds),
    }),
    reactTo({
      consumer: "preferences.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await service.purgeCharacters(tx, payload.citizenIds),
    }),
  ];
}
