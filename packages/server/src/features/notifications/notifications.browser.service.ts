import { type NotificationDefinition, notificationChannels, type PayloadOf } from "#core/contract/index.ts";
import {
  type DeliveredNotification,
  type EventMessage,
  maxPayloadBytes,
  type NotificationBatch,
  type NotificationDelivery,
  type Outbox,
  type Tx,
} from "#core/ports/index.ts";
import { notificationsAdded, notificationsSent } from "./notifications.contract.ts";

type Sent = PayloadOf<typeof notificationsSent>;
type Item = PayloadOf<typeof notificationsAdded>["items"][number] & { readonly count?: number; readonly replaced?: number };

const perEvent = 1_000;

type BrowserChannel = (typeof notificationChannels)[number];

const browserChannels = (chosen: readonly string[]): BrowserChannel[] =>
  notificationChannels.filter((channel) => chosen.includes(channel));

const same = (one: readonly string[], other: readonly string[]) => one.join() === other.join();

/** What the first one has is written once for all; of each one only where it differs. */
function sharedOf(kind: NotificationDefinition, at: number, first: DeliveredNotification): Omit<Sent, "to"> {
  const { params, link, channels } = first;
  return { kind: kind.id, tone: kind.tone, at, params: { ...params }, link, channels: browserChannels(channels) };
}

function entryOf(item: DeliveredNotification, first: DeliveredNotification): Sent["to"][number] {
  const { id, accountId, characterId, params, link, channels, count, replaced } = item;
  return {
    id,
    accountId,
    ...(characterId === null ? {} : { characterId }),
    ...(params === first.params ? {} : { params: { ...params } }),
    ...(link === first.link ? {} : { link }),
    ...(same(channels, first.channels) ? {} : { channels: browserChannels(channels) }),
    ...(count === 1 ? {} : { count }),
    ...(replaced === null ? {} : { replaced }),
  };
}

/** The payloads of a batch, each as large as an event may be. */
export function payloadsOf({ kind, at, items }: NotificationBatch): Sent[] {
  const [first] = items;
  if (first === undefined) return [];
  const shared = sharedOf(kind, at, first);
  const room = maxPayloadBytes - Buffer.byteLength(JSON.stringify({ ...shared, to: [] }));
  const payloads: Sent[] = [];
  let to: Sent["to"] = [];
  let bytes = 0;
  for (const item of items) {
    const entry = entryOf(item, first);
    const size = Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (to.length === perEvent || (to.length > 0 && bytes + size > room)) {
      payloads.push({ ...shared, to });
      to = [];
      bytes = 0;
    }
    to.push(entry);
    bytes += size;
  }
  return [...payloads, { ...shared, to }];
}

/** The notifications of an event, whole. */
export function itemsOf({ type, payload }: EventMessage): readonly Item[] {
  if (type === notificationsAdded.id) return (payload as PayloadOf<typeof notificationsAdded>).items;
  if (type !== notificationsSent.id) return [];
  const { to, ...shared } = payload as Sent;
  return to.map((entry) => ({ characterId: null, ...shared, ...entry }));
}

/** Bell, toast and sound: the event that open browsers receive. */
export class BrowserDelivery implements NotificationDelivery {
  readonly id = "browser";
  readonly channels = notificationChannels.map((id) => ({ id, label: `notifications.channels.${id}` }));
  /** The list shows also what nobody is alerted to. */
  readonly everything = true;
  readonly #outbox: Outbox;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  async availableFor(): Promise<boolean> {
    return true;
  }

  async deliver(tx: Tx, batch: NotificationBatch): Promise<void> {
    for (const payload of payloadsOf(batch)) {
      const [{ id, accountId } = { id: 0, accountId: 0 }] = payload.to;
      const key = batch.items.length === 1 ? `account/${accountId}` : `batch/${id}`;
      await this.#outbox.emit(tx, notificationsSent, { key, version: id, payload });
    }
  }
}
