import type { Clock, Outbox } from "#core/ports/index.ts";
import type { NotificationsApi } from "./notifications.api.ts";
import { notificationsAdded } from "./notifications.contract.ts";
import * as repo from "./notifications.repo.ts";

export interface NotificationsDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
}

export function createNotificationsService(deps: NotificationsDeps) {
  const api: NotificationsApi = {
    async notify(tx, kind, notifications) {
      const at = deps.clock.now();
      for (const { accountId, characterId = null, params, link = null } of notifications) {
        const id = await repo.insert(tx, {
          account_id: accountId,
          character_id: characterId,
          kind: kind.id,
          params: JSON.stringify(params),
          link,
          at,
        });
        await deps.outbox.emit(tx, notificationsAdded, {
          key: `account/${accountId}`,
          version: id,
          payload: { items: [{ id, accountId, characterId, kind: kind.id, params: { ...params }, link, at }] },
        });
      }
    },
  };
  return { api };
}
