import type { NotificationDefinition } from "#core/contract/index.ts";
import type { Clock, DeliveredNotification, Ids, NotificationDelivery, Tx } from "#core/ports/index.ts";
import type { NewNotification } from "./notifications.api.ts";
import { channelsOf, enabledChannels } from "./notifications.policy.ts";
import * as repo from "./notifications.send.repo.ts";

export interface SenderDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  /** The registered ways. */
  readonly deliveries: () => readonly NotificationDelivery[];
}

/** A notification before it is stored. */
interface Draft {
  readonly accountId: number;
  readonly characterId: number | null;
  readonly params: NewNotification["params"];
  readonly link: string | null;
  readonly key: string | null;
  /** How many of this call it stands for. */
  readonly count: number;
  readonly previous: repo.Previous | null;
  readonly channels: readonly string[];
}

type Digest = NotificationDefinition["digest"];

const keyOf = (accountId: number, characterId: number | null, key: string) => `${accountId} ${characterId ?? 0} ${key}`;

/** Sorted, so that two units of work lock rows in one order. Of several with one key, the last one stays. */
function draftsOf(wanted: readonly NewNotification[], digest: Digest): Draft[] {
  const drafts: Draft[] = [];
  const byKey = new Map<string, number>();
  for (const { accountId, characterId = null, params, link = null, key = digest ? "" : null } of wanted) {
    const draft = { accountId, characterId, params, link, key, count: 1, previous: null, channels: [] };
    const known = key === null ? undefined : byKey.get(keyOf(accountId, characterId, key));
    if (known !== undefined) {
      drafts[known] = { ...draft, count: digest ? drafts[known]!.count + 1 : 1 };
      continue;
    }
    if (key !== null) byKey.set(keyOf(accountId, characterId, key), drafts.length);
    drafts.push(draft);
  }
  return drafts.toSorted((a, b) => a.accountId - b.accountId);
}

/** Stores notifications and hands them to the registered ways. */
export class NotificationSender {
  readonly #deps: SenderDeps;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  async send(tx: Tx, kind: NotificationDefinition, wanted: readonly NewNotification[]): Promise<void> {
    if (wanted.length === 0) return;
    const at = this.#deps.clock.now();
    const drafts = await this.#withChoices(tx, kind, draftsOf(wanted, kind.digest), at);
    const batch = drafts.length === 1 ? null : this.#deps.ids.next();
    const rows = drafts.map((draft) => rowOf(kind, draft, at, batch));
    const replaced = drafts.filter(({ previous }) => previous !== null).length;
    const ids = await repo.store(tx, rows, replaced);
    const items = drafts.map(({ accountId, characterId, params, link, previous, channels }, i): DeliveredNotification => {
      const count = rows[i]?.count ?? 1;
      return { id: ids[i] ?? 0, accountId, characterId, params, link, count, replaced: previous?.id ?? null, channels };
    });
    for (const delivery of this.#deps.deliveries()) await deliver(tx, delivery, { kind, at, items });
  }

  async wanting(tx: Tx, kind: NotificationDefinition, channel: string, accountIds: readonly number[]): Promise<number[]> {
    if (accountIds.length === 0) return [];
    const channelsOfAccount = channelsIn(kind, await repo.choicesOf(tx, kind.id, accountIds), [channel]);
    return accountIds.filter((id) => channelsOfAccount(id).length > 0);
  }

  async #withChoices(tx: Tx, kind: NotificationDefinition, drafts: readonly Draft[], at: number): Promise<Draft[]> {
    const accountIds = [...new Set(drafts.map(({ accountId }) => accountId))];
    const keys = [...new Set(drafts.flatMap(({ key }) => key ?? []))];
    const expired = kind.digest ? at - kind.digest.everyMs : -1;
    const replacing = { kind: kind.id, accountIds, keys, expired };
    const known =
      keys.length > 0
        ? await repo.choicesAndPrevious(tx, replacing)
        : { choices: await repo.choicesOf(tx, kind.id, accountIds), previous: [] };
    const previous = new Map(known.previous.map((one) => [keyOf(one.account_id, one.replace_character, one.replace_key), one]));
    const offered = this.#deps.deliveries().flatMap(({ channels }) => channels.map(({ id }) => id));
    const channelsOfAccount = channelsIn(kind, known.choices, offered);
    return drafts.map((draft) => {
      const { accountId, characterId, key } = draft;
      return {
        ...draft,
        previous: key === null ? null : (previous.get(keyOf(accountId, characterId, key)) ?? null),
        channels: channelsOfAccount(accountId),
      };
    });
  }
}

/** Which of these channels an account wants. */
function channelsIn(
  kind: NotificationDefinition,
  stored: readonly repo.StoredChoice[],
  offered: readonly string[],
): (accountId: number) => readonly string[] {
  const choices = Map.groupBy(stored, ({ account_id }) => account_id);
  const usual = enabledChannels(channelsOf(kind, [], offered));
  return (accountId) => {
    const own = choices.get(accountId)?.map((choice) => ({ ...choice, kind: kind.id }));
    return own ? enabledChannels(channelsOf(kind, own, offered)) : usual;
  };
}

function rowOf(kind: NotificationDefinition, draft: Draft, at: number, batch: string | null): repo.NotificationRow {
  const { accountId, characterId, params, link, key, count, previous, channels } = draft;
  return {
    account_id: accountId,
    character_id: characterId,
    kind: kind.id,
    params: JSON.stringify(params),
    link,
    at,
    read_at: channels.includes("bell") ? null : at,
    batch,
    replace_key: key,
    replace_character: characterId ?? 0,
    count: kind.digest ? (previous?.count ?? 0) + count : 1,
    since: kind.digest ? (previous?.since ?? at) : null,
  };
}

type Batch = Parameters<NotificationDelivery["deliver"]>[1];

/** Each way gets what people want through its channels, and no other. */
async function deliver(tx: Tx, delivery: NotificationDelivery, { kind, at, items }: Batch): Promise<void> {
  const own = new Set(delivery.channels.map(({ id }) => id));
  const theirs = items.map((item) => ({ ...item, channels: item.channels.filter((channel) => own.has(channel)) }));
  const chosen = delivery.everything === true ? theirs : theirs.filter(({ channels }) => channels.length > 0);
  if (chosen.length > 0) await delivery.deliver(tx, { kind, at, items: chosen });
}
