import { bind, type Binding } from "#core/feature.ts";
import type { PayloadOf } from "#core/contract/index.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { itemsOf } from "./notifications.browser.service.ts";
import {
  countUnread,
  getPreferences,
  listNotifications,
  markAllRead,
  markRead,
  markUnread,
  notificationsRead,
  notificationsTopic,
  putPreferences,
  removeNotifications,
  tryNotification,
} from "./notifications.contract.ts";
import type { NotificationsService } from "./notifications.service.ts";

export function notificationsRoutes(service: NotificationsService): Binding[] {
  return [
    bind(listNotifications, async (call, { query }) => await service.list(call.viewer(), query)),
    bind(countUnread, async (call) => await service.unread(call.viewer())),
    bind(markRead, async (call, { body }) => await service.markRead(call.viewer(), body)),
    bind(markUnread, async (call, { body }) => await service.markUnread(call.viewer(), body.ids)),
    bind(removeNotifications, async (call, { body }) => await service.remove(call.viewer(), body.ids)),
    bind(markAllRead, async (call, { body }) => await service.markRead(call.viewer(), body)),
    bind(getPreferences, async (call) => await service.preferences(call.account())),
    bind(putPreferences, async (call, { body }) => await service.putPreferences(call, body.kinds)),
    bind(tryNotification, async (call) => await service.notifySelf(call.viewer())),
  ];
}

type Items = ReturnType<typeof itemsOf>;

function messageOf({ id, kind, params, link, at, ...item }: Items[number]) {
  const { channels = ["bell"], tone = "info", count = 1, replaced = null } = item;
  return { id, kind, params, link, count, at, readAt: channels.includes("bell") ? null : at, channels, tone, replaced };
}

/** The topic of an account. What concerns one character is only sent while it is chosen. */
export function notificationsTopics(): TopicBinding[] {
  return [
    {
      topic: notificationsTopic,
      async authorize(viewer, key) {
        if (key !== String(viewer.accountId)) return null;
        return {
          class: `${viewer.accountId} ${viewer.characterId}`,
          view(data) {
            const all = data as Items;
            const own = all.filter(({ characterId }) => characterId === null || characterId === viewer.characterId);
            if (all.length > 0 && own.length === 0) return null;
            return { items: own.map(messageOf) };
          },
        };
      },
      project(event) {
        if (event.type === notificationsRead.id) {
          return [{ key: String((event.payload as PayloadOf<typeof notificationsRead>).accountId), data: [] }];
        }
        const byAccount = Map.groupBy(itemsOf(event), ({ accountId }) => accountId);
        return [...byAccount].map(([accountId, data]) => ({ key: String(accountId), data }));
      },
    },
  ];
}
