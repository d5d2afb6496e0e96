import type { AccountActor, Viewer } from "#core/actor.ts";
import { type InputOf, mostCounted, type NotificationDefinition, type Page } from "#core/contract/index.ts";
import { readCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext, Registry } from "#core/feature.ts";
import { idCursor, keysetPage } from "#core/paging.ts";
import type { Clock, Database, DeliveryChannel, Ids, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { Broadcast, NewNotification, NotificationsApi } from "./notifications.api.ts";
import {
  type listNotifications,
  mostUnread,
  type Notification,
  notificationsErrors,
  notificationsRead,
  type Preferences,
  type putPreferences,
  trialNotification,
} from "./notifications.contract.ts";
import { channelsOf, type Choice, enabledChannels } from "./notifications.policy.ts";
import * as repo from "./notifications.repo.ts";
import { NotificationSender } from "./notifications.send.service.ts";

export interface NotificationsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly registry: Registry;
}

function outputOf(row: repo.StoredNotification): Notification {
  const { id, kind, link, count, at, read_at } = row;
  return { id, kind, params: JSON.parse(row.params) as Notification["params"], link, count, at, readAt: read_at };
}

/** Stores notifications, lists them and marks them as read. */
export class NotificationsService implements NotificationsApi {
  readonly #deps: NotificationsDeps;
  readonly #sender: NotificationSender;

  constructor(deps: NotificationsDeps) {
    this.#deps = deps;
    this.#sender = new NotificationSender({ ...deps, deliveries: () => deps.registry.parts("deliveries") });
  }

  async notify(tx: Tx, kind: NotificationDefinition, { recipients, ...content }: Broadcast): Promise<void> {
    await this.notifyEach(
      tx,
      kind,
      recipients.map((recipient) => ({ ...content, ...recipient })),
    );
  }

  async notifyEach(tx: Tx, kind: NotificationDefinition, notifications: readonly NewNotification[]): Promise<void> {
    await this.#sender.send(tx, kind, notifications);
  }

  async wanting(tx: Tx, kind: NotificationDefinition, channel: string, accountIds: readonly number[]): Promise<number[]> {
    return await this.#sender.wanting(tx, kind, channel, accountIds);
  }

  /** Sends the viewer a notification, to try how it arrives. */
  async notifySelf({ accountId, characterName }: Viewer): Promise<void> {
    const content = { params: { name: characterName }, link: "/notifications" };
    await this.#deps.db.write("notifications.try", async (tx) => {
      await this.notify(tx, trialNotification, { recipients: [{ accountId }], ...content });
    });
  }

  async list(viewer: Viewer, query: InputOf<typeof listNotifications>["query"]): Promise<Page<Notification>> {
    const limit = query.limit ?? 50;
    const all = { unread: query.only === "unread", ...(query.kind === undefined ? {} : { kind: query.kind }) };
    const filter = query.cursor === undefined ? all : { ...all, below: readCursor(query.cursor).id };
    return await this.#deps.db.read("notifications.list", async (tx) => {
      const rows = await repo.list(tx, viewer, filter, limit + 1);
      const total = await repo.count(tx, viewer, all, mostCounted + 1);
      const page = keysetPage({ rows, limit, count: total, cursorOf: idCursor });
      return { ...page, items: page.items.map(outputOf) };
    });
  }

  async unread(viewer: Viewer): Promise<{ unread: number }> {
    return await this.#deps.db.read("notifications.unread", async (tx) => ({ unread: await countUnread(tx, viewer) }));
  }

  async markRead(viewer: Viewer, which: { ids: readonly number[] } | { upTo: number }): Promise<{ unread: number }> {
    const at = this.#deps.clock.now();
    return await this.#change(viewer, at, async (tx) => await repo.markRead(tx, viewer, which, at));
  }

  async markUnread(viewer: Viewer, ids: readonly number[]): Promise<{ unread: number }> {
    return await this.#change(viewer, this.#deps.clock.now(), async (tx) => await repo.markUnread(tx, viewer, ids));
  }

  async remove(viewer: Viewer, ids: readonly number[]): Promise<{ unread: number }> {
    return await this.#change(viewer, this.#deps.clock.now(), async (tx) => await repo.remove(tx, viewer, ids));
  }

  /** Changes some of the viewer's, and has their other pages read them again when any was changed. */
  async #change(
    { accountId, characterId }: Viewer,
    at: number,
    change: (tx: Tx) => Promise<number>,
  ): Promise<{ unread: number }> {
    const { db, outbox } = this.#deps;
    return await db.write("notifications.read", async (tx) => {
      if ((await change(tx)) > 0) {
        const message = { key: `account/${accountId}/read`, version: at, payload: { accountId } };
        await outbox.emit(tx, notificationsRead, message);
      }
      return { unread: await countUnread(tx, { accountId, characterId }) };
    });
  }

  async preferences(account: AccountActor): Promise<Preferences> {
    return await this.#deps.db.read("notifications.preferences", async (tx) => await this.#preferencesOf(tx, account));
  }

  async putPreferences(call: CallContext, wanted: InputOf<typeof putPreferences>["body"]["kinds"]): Promise<Preferences> {
    const { db, audit, registry } = this.#deps;
    const account = call.account();
    const { accountId } = account;
    for (const { kind, channels } of wanted) {
      const known = registry.notifications().find(({ id }) => id === kind);
      if (!known) throw new AppError(notificationsErrors.kindUnknown, { params: { kind } });
      if (known.always === true && channels["bell"] === false)
        throw new AppError(notificationsErrors.bellStays, { params: { kind } });
    }
    const choices = wanted.flatMap(({ kind, channels }) =>
      Object.entries(channels).map(([channel, on]): Choice => ({ kind, channel, chosen: on ? 1 : 0 })),
    );
    return await db.write("notifications.putPreferences", async (tx) => {
      const before = await this.#preferencesOf(tx, account);
      const unknown = choices.find(({ channel }) => !before.channels.some(({ id }) => id === channel));
      if (unknown) throw new AppError(notificationsErrors.channelUnknown, { params: { channel: unknown.channel } });
      await repo.choose(tx, accountId, choices);
      const after = await this.#preferencesOf(tx, account);
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

  async #preferencesOf(tx: Tx, { accountId, configAdmin }: AccountActor): Promise<Preferences> {
    const choices = await repo.choicesOf(tx, accountId);
    const channels = await this.#channelsFor(tx, accountId);
    const offered = channels.map(({ id }) => id);
    const concerned = this.#deps.registry.notifications().filter((kind) => kind.for !== "configAdmins" || configAdmin);
    const kinds = concerned.map((kind) => ({
      kind: kind.id,
      tone: kind.tone,
      always: kind.always === true,
      channels: { ...channelsOf(kind, choices, offered) },
    }));
    return { channels, kinds };
  }

  /** Of the registered ways, those that can reach the account. */
  async #channelsFor(tx: Tx, accountId: number): Promise<DeliveryChannel[]> {
    const found: DeliveryChannel[] = [];
    for (const delivery of this.#deps.registry.parts("deliveries"))
      if (await delivery.availableFor(tx, accountId)) found.push(...delivery.channels);
    return found;
  }
}

async function countUnread(tx: Tx, viewer: repo.Owner): Promise<number> {
  return await repo.count(tx, viewer, { unread: true }, mostUnread);
}
