import { chunksOf } from "#core/chunks.ts";
import type { NotificationDefinition, TaskPayloadOf } from "#core/contract/index.ts";
import type { Registry } from "#core/feature.ts";
import {
  BrokerUnavailable,
  type Database,
  type Metrics,
  type NotificationBatch,
  type NotificationDelivery,
  type Tasks,
  type Tx,
} from "#core/ports/index.ts";
import { createNotificationTexts } from "#core/texts.ts";
import { licencesOf } from "#features/accounts/accounts.reads.ts";
import { charactersOfLicences } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { GameRequestsApi } from "#features/gamerequests/gamerequests.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import type { PositionsApi } from "#features/positions/positions.api.ts";
import { mostTitle, mostToastText, sendToasts, toastRequest } from "./ingame.contract.ts";
import { leftMs, oneMore, shortened, type ToastOutcome, type Toasts } from "./ingame.policy.ts";
import * as repo from "./ingame.repo.ts";

export interface ToastsDeps {
  readonly db: Database;
  readonly tasks: Tasks;
  readonly registry: Registry;
  readonly requests: GameRequestsApi;
  readonly positions: PositionsApi;
  readonly duty: DutyApi;
  readonly notifications: NotificationsApi;
  readonly metrics: Metrics;
}

type Payload = TaskPayloadOf<typeof sendToasts>;
type Item = Payload["items"][number];

/** A character that a person plays now. */
interface Player {
  readonly id: number;
  readonly identifier: string;
  readonly source: string;
}

interface Toast {
  readonly player: Player;
  readonly item: Item;
}

const channel = "game";
/** Each task is one unit of work that other senders of requests wait for. */
const perTask = 50;
const actor = { kind: "system", name: sendToasts.id } as const;

/** Notifications as a short text in the game, for who plays at that moment; nobody else gets them later. */
export class ToastDelivery implements NotificationDelivery {
  readonly id = "game";
  readonly channels = [{ id: channel, label: `notifications.channels.${channel}` }];
  readonly #deps: ToastsDeps;
  readonly #texts = createNotificationTexts();
  readonly #counted;

  constructor(deps: ToastsDeps) {
    this.#deps = deps;
    this.#counted = deps.metrics.counter("rollcall_ingame_toasts_total", "Toasts to people in the game", ["outcome"]);
  }

  /** Where no game server asks for requests, there is nothing to choose. */
  async availableFor(tx: Tx): Promise<boolean> {
    return (await this.#deps.requests.servers(tx)).length > 0;
  }

  /** Who plays is found out after the commit: sending locks the stream of requests, and the caller may lock more. */
  async deliver(tx: Tx, { kind, items }: NotificationBatch): Promise<void> {
    const { db, requests, tasks } = this.#deps;
    if (!(await requests.servers(tx)).some(({ connected }) => connected)) return;
    const at = await db.now(tx);
    const all = items.map(({ accountId, characterId, count, params }) => ({ accountId, characterId, count, params }));
    await tasks.enqueueAll(
      tx,
      sendToasts,
      chunksOf(all, perTask).map((batch) => ({ payload: { kind: kind.id, at, items: batch } })),
    );
  }

  /**
   * To whom it goes: the character that was named, or the one that the person plays. Only to who still wants it and may
   * sign in, because a task may have waited.
   */
  async find({ kind: id, items }: Payload): Promise<Toast[]> {
    const { db, notifications } = this.#deps;
    const kind = this.#kindOf(id);
    if (!kind) return [];
    const ids = [...new Set(items.map(({ accountId }) => accountId))];
    const { characters, licences } = await db.read("ingame.players", async (tx) => {
      const found = await licencesOf(tx, await notifications.wanting(tx, kind, channel, ids));
      const held = [...new Set(found.values())].filter((licence) => licence !== "");
      return { licences: found, characters: await charactersOfLicences(tx, held) };
    });
    const sources = await this.#sourcesOf(characters.map(({ id }) => id));
    const order = new Map([...sources.keys()].map((id, i) => [id, i]));
    const playing = characters.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
    return items.flatMap((item) => {
      const licence = licences.get(item.accountId);
      const player = playing.find(
        (one) => one.licence === licence && sources.has(one.id) && (item.characterId === null || one.id === item.characterId),
      );
      const source = player && sources.get(player.id);
      return player && source !== undefined ? [{ player: { id: player.id, identifier: player.identifier, source }, item }] : [];
    });
  }

  /** In the transaction that ends the task. */
  async send(tx: Tx, { kind: id, at }: Payload, toasts: readonly Toast[]): Promise<void> {
    const { db, requests } = this.#deps;
    const kind = this.#kindOf(id);
    if (!kind || toasts.length === 0) return;
    const now = await db.now(tx);
    const stored = await repo.lockToasts(tx, [...new Set(toasts.map(({ player }) => player.id))], now);
    const lately = new Map(
      stored.map(({ citizen_id, sent, missed }): [number, Toasts] => [
        citizen_id,
        { sent: JSON.parse(sent) as number[], missed },
      ]),
    );
    const sending: (Toast & { readonly missed: number })[] = [];
    const outcomes: ToastOutcome[] = [];
    for (const toast of toasts) {
      const before = lately.get(toast.player.id) ?? { sent: [], missed: 0 };
      const { outcome, after } = oneMore(before, at, now);
      lately.set(toast.player.id, after);
      outcomes.push(outcome);
      if (outcome === "sent") sending.push({ ...toast, missed: before.missed });
    }
    await repo.storeToasts(
      tx,
      [...lately].map(([citizen_id, { sent, missed }]) => ({ citizen_id, sent: JSON.stringify(sent), missed, at: now })),
    );
    for (const { player, item, missed } of sending) {
      const payload = { identifier: player.identifier, tone: kind.tone, ...this.#textsOf(kind, item), missed };
      await requests.send(tx, actor, toastRequest, { payload, source: player.source, expiresMs: leftMs(at, now) });
    }
    tx.afterCommit(() => outcomes.forEach((outcome) => this.#counted.inc({ outcome })));
  }

  #kindOf(id: string): NotificationDefinition | undefined {
    return this.#deps.registry.notifications().find((one) => one.id === id);
  }

  /** On which game server each of them plays; those who were seen last come first. */
  async #sourcesOf(ids: readonly number[]): Promise<Map<number, string>> {
    const { db, positions, duty, requests } = this.#deps;
    const seen = await positions.playing(ids).catch((error: unknown) => {
      if (error instanceof BrokerUnavailable) return new Map<number, string>();
      throw error;
    });
    return await db.read("ingame.sources", async (tx) => {
      const connected = new Set((await requests.servers(tx)).filter((one) => one.connected).map(({ source }) => source));
      const onDuty = [...(await duty.of(tx, ids)).values()].flatMap(({ citizenId, state, source }) =>
        state === "on" && source !== null && !seen.has(citizenId) ? [[citizenId, source] as const] : [],
      );
      return new Map([...seen, ...onDuty].filter(([, source]) => connected.has(source)));
    });
  }

  /**
   * What concerns the security of an account, such as an address, is not for a screen that others watch: its title
   * says that there is something to read. The link stays here too.
   */
  #textsOf(kind: NotificationDefinition, { params, count }: Item) {
    const [en, de] = (["en", "de"] as const).map((language) => {
      const { title, text } = this.#texts(kind.id, { count, ...params }, language);
      return { title: shortened(title, mostTitle), text: kind.always === true ? "" : shortened(text, mostToastText) };
    });
    return { title: { en: en!.title, de: de!.title }, text: { en: en!.text, de: de!.text } };
  }
}
