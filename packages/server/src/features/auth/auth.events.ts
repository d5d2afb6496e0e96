import { type EventListener, listenTo } from "#core/feature.ts";
import { reactTo } from "#core/ports/index.ts";
import type { EventReaction } from "#core/ports/index.ts";
import { rolesChanged } from "#features/access/access.contract.ts";
import { accountsChanged, accountsPurged, powersGained } from "#features/accounts/accounts.contract.ts";
import { citizensChanged } from "#features/citizens/citizens.contract.ts";
import { settingsChanged } from "#features/settings/settings.contract.ts";
import { sessionsChanged } from "./auth.contract.ts";
import { citizensConcerned, settingsRights } from "./auth.inputs.policy.ts";
import type { AuthService } from "./auth.service.ts";
import type { SessionsService } from "./auth.sessions.service.ts";
import type { ViewersService } from "./auth.viewers.service.ts";

export function authEvents(service: AuthService): EventReaction[] {
  return [
    reactTo({
      consumer: "auth.tellRightsChanged",
      event: rolesChanged,
      async handle(tx, { payload }) {
        await service.notifications.notifyRightsChanged(tx, payload);
      },
    }),
    reactTo({
      consumer: "auth.tellAdminGained",
      event: powersGained,
      handle: async (tx, { payload }) => await service.notifications.notifyAdminGained(tx, payload),
    }),
    reactTo({
      consumer: "auth.endSessions",
      event: accountsChanged,
      async handle(tx, { payload }) {
        if (payload.endSessions) await service.endOutdatedSessions(tx, payload.accountIds);
      },
    }),
    reactTo({
      consumer: "auth.purgeAccounts",
      event: accountsPurged,
      handle: async (tx, { payload }) => await service.purgeAccounts(tx, payload.accountIds),
    }),
  ];
}

/** Invalidates what this process cached of sessions and characters. */
export function authListeners(sessions: SessionsService, viewers: ViewersService): EventListener[] {
  return [
    listenTo({
      event: settingsChanged,
      onEvent(message) {
        if (settingsRights.affected(message) !== null) sessions.invalidateAll();
      },
      onMissed: () => sessions.invalidateAll(),
    }),
    listenTo({
      event: accountsChanged,
      onEvent: ({ payload }) => payload.accountIds.forEach((id) => sessions.invalidateAccount(id)),
    }),
    listenTo({ event: sessionsChanged, onEvent: ({ payload }) => sessions.invalidate(payload.sessionIds) }),
    listenTo({
      event: citizensChanged,
      onEvent: ({ payload }) => viewers.invalidateCharacters(citizensConcerned(payload)),
      onMissed: () => viewers.invalidateAll(),
    }),
  ];
}
