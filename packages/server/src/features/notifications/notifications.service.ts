import type { Viewer } from "#core/actor.ts";
import type { InputOf, NotificationDefinition, Page } from "#core/contract/index.ts";
import { readCursor, writeCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext, Registry } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { NewNotification, NotificationsApi } from "./notifications.api.ts";
import {
  type listNotifications,
  type Notification,
  notificationsAdded,
  notificationsErrors,
  notificationsRead,
  type Preferences,
  type putPreferences,
  trialNotification,
} from "./notifications.contract.ts";
import { channelsOf, type Choice, enabledChannels } from "./notifications.policy.ts";
import * as repo from "./notifications.repo.ts";

export interface NotificationsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly registry: Registry;
}

const mostCounted = 1000;

function outputOf(row: repo.StoredNotification): Notification {
  const { id, kind, link, at, read_at } = row;
  return { id, kind, params: JSON.parse(row.params) as Notification["params"], link, at, readAt: read_at };
}

/** Stores notifications, lists them and marks them as read. */
export class NotificationsService implements NotificationsApi {
  readonly #deps: NotificationsDeps;

  constructor(deps: NotificationsDeps) {
    this.#deps = deps;
  }

  async notify(tx: Tx, kind: NotificationDefinition, notifications: readonly NewNotification[]): Promise<void> {
    const { clock, outbox } = this.#deps;
    const at = clock.now();
    for (const { accountId, characterId = null, params, link = null } of notifications) {
      const channels = channelsOf(kind, await repo.choicesOf(tx, accountId, kind.id));
      const id = await repo.insert(tx, {
        account_id: accountId,
        character_id: characterId,
        kind: kind.id,
        params: JSON.stringify(params),
        link,
        at,
        read_at: channels.bell ? null : at,
      });
      const { tone } = kind;
      const common = { id, accountId, characterId, kind: kind.id, params: { ...params }, link, at };
      const item = { ...common, channels: enabledChannels(channels), tone };
      await outbox.emit(tx, notificationsAdded, { key: `account/${accountId}`, version: id, payload: { items: [item] } });
    }
  }

  /** Sends the viewer a notification, to try how it arrives. */
  async notifySelf({ accountId, characterName }: Viewer): Promise<void> {
    await this.#deps.db.write("notifications.try", async (tx) => {
      await this.notify(tx, trialNotification, [{ accountId, params: { name: characterName }, link: "/notifications" }]);
    });
  }

  async list(viewer: Viewer, query: InputOf<typeof listNotifications>["query"]): Promise<Page<Notification>> {
    const limit = query.limit ?? 50;
    const all = { unread: query.only === "unread", ...(query.kind === undefined ? {} : { kind: query.kind }) };
    const filter = query.cursor === undefined ? all : { ...all, below: readCursor(query.cursor).id };
    return await this.#deps.db.read("notifications.list", async (tx) => {
      const rows = await repo.list(tx, viewer, filter, limit + 1);
      const total = await repo.count(tx, viewer, all, mostCounted + 1);
      const items = rows.slice(0, limit).map(outputOf);
      const last = items.at(-1);
      const next = rows.length > limit && last ? writeCursor({ key: "", id: last.id }) : null;
      return { items, next, total: Math.min(total, mostCounted), totalCapped: total > mostCounted };
    });
  }

  async unread(viewer: Viewer): Promise<{ unread: number }> {
    return await this.#deps.db.read("notifications.unread", async (tx) => ({ unread: await countUnread(tx, viewer) }));
  }

  async markRead(viewer: Viewer, which: { ids: readonly number[] } | { upTo: number }): Promise<{ unread: number }> {
    const { db, clock, outbox } = this.#deps;
    return await db.write("notifications.read", async (tx) => {
      const at = clock.now();
      const { accountId } = viewer;
      if ((await repo.markRead(tx, viewer, which, at)) > 0) {
        const message = { key: `account/${accountId}/read`, version: at, payload: { accountId } };
        await outbox.emit(tx, notificationsRead, message);
      }
      return { unread: await countUnread(tx, viewer) };
    });
  }

  async preferences(accountId: number): Promise<Preferences> {
    return await this.#deps.db.read("notifications.preferences", async (tx) => await this.#preferencesOf(tx, accountId));
  }

  async putPreferences(call: CallContext, wanted: InputOf<typeof putPreferences>["body"]["kinds"]): Promise<Preferences> {
    const { db, audit, registry } = this.#deps;
    const { accountId } = call.account();
    for (const { kind, channels } of wanted) {
      const known = registry.notifications().find(({ id }) => id === kind);
      if (!known) throw new AppError(notificationsErrors.kindUnknown, { params: { kind } });
      if (known.always === true && !channels.bell) throw new AppError(notificationsErrors.bellStays, { params: { kind } });
    }
    const choices = wanted.flatMap(({ kind, channels }) =>
      Object.entries(channels).map(([channel, on]): Choice => ({ kind, channel, chosen: on ? 1 : 0 })),
    );
    return await db.write("notifications.putPreferences", async (tx) => {
      const before = await this.#preferencesOf(tx, accountId);
      await repo.choose(tx, accountId, choices);
      const after = await this.#preferencesOf(tx, accountId);
      const changed = (of: Preferences) =>
        Object.fromEntries(
          of.kinds
            .filter(({ kind }) => wanted.some((one) => one.kind === kind))
            .map(({ kind, channels }) => [kind, enabledChannels(channels).join(", ")]),
        );
      await audit.record(tx, call.actor, {
        action: "notifications.putPreferences",
        object: { kind: "account", id: accountId },
        before: changed(before),
        after: changed(after),
      });
      return after;
    });
  }

  async prune(tx: Tx, before: number, limit: number): Promise<number> {
    return await repo.prune(tx, before, limit);
  }

  async purgeAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
    await repo.purgeAccounts(tx, accountIds);
  }

  async #preferencesOf(tx: Tx, accountId: number): Promise<Preferences> {
    const choices = await repo.choicesOf(tx, accountId);
    const kinds = this.#deps.registry.notifications().map((kind) => ({
      kind: kind.id,
      tone: kind.tone,
      always: kind.always === true,
      channels: channelsOf(kind, choices),
    }));
    return { kinds };
  }
}

async function countUnread(tx: Tx, viewer: Viewer): Promise<number> {
  return await repo.count(tx, viewer, { unread: true }, mostCounted);
}
