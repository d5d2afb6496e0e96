import { bind, type Binding } from "#core/feature.ts";
import type { PayloadOf } from "#core/contract/index.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import {
  countUnread,
  getPreferences,
  listNotifications,
  markAllRead,
  markRead,
  notificationsAdded,
  notificationsRead,
  notificationsTopic,
  putPreferences,
  tryNotification,
} from "./notifications.contract.ts";
import type { NotificationsService } from "./notifications.service.ts";

export function notificationsRoutes(service: NotificationsService): Binding[] {
  return [
    bind(listNotifications, async (call, { query }) => await service.list(call.viewer(), query)),
    bind(countUnread, async (call) => await service.unread(call.viewer())),
    bind(markRead, async (call, { body }) => await service.markRead(call.viewer(), body)),
    bind(markAllRead, async (call, { body }) => await service.markRead(call.viewer(), body)),
    bind(getPreferences, async (call) => await service.preferences(call.account().accountId)),
    bind(putPreferences, async (call, { body }) => await service.putPreferences(call, body.kinds)),
    bind(tryNotification, async (call) => await service.notifySelf(call.viewer())),
  ];
}

type Added = PayloadOf<typeof notificationsAdded>;

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
            const all = data as Added["items"];
            const own = all.filter(({ characterId }) => characterId === null || characterId === viewer.characterId);
            if (all.length > 0 && own.length === 0) return null;
            const items = own.map(({ id, kind, params, link, at, channels = ["bell"], tone = "info" }) => {
              return { id, kind, params, link, at, readAt: channels.includes("bell") ? null : at, channels, tone };
            });
            return { items };
          },
        };
      },
      project({ type, payload }) {
        if (type === notificationsRead.id) {
          return [{ key: String((payload as PayloadOf<typeof notificationsRead>).accountId), data: [] }];
        }
        if (type !== notificationsAdded.id) return [];
        return (payload as Added).items.map((item) => ({ key: String(item.accountId), data: [item] }));
      },
    },
  ];
}
