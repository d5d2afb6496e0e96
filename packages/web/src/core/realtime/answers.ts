import type { Query, QueryClient } from "@tanstack/react-query";
import type { EventTopic, Position } from "@rollcall/server/contract/core";
import type { Clock } from "#core/clock.ts";
import { isRecord } from "#core/problem.ts";
import { createStore, type Store } from "#core/store.ts";
import {
  type Change,
  hasItems,
  holds,
  isPages,
  isVersioned,
  mergeObject,
  type Pages,
  place,
  type Placement,
  type Versioned,
} from "./merge.ts";
import { reaches } from "./position.ts";
import { forgetPosition, movePosition, positionOf } from "./positions.ts";
import { createReadAgain, type ReadAgain } from "./readAgain.ts";
import type { Topics } from "./topics.ts";

/** A list on screen: what it knows about its order, and which rows are visible. */
export interface ShownList<Row> extends Placement<Row> {
  /** Index of the first and last visible row. */
  visible(): readonly [first: number, last: number];
}

/** Keeps the answers in the cache as current as the topics that declare them. */
export interface LiveAnswers {
  /** Follows a topic until the returned function is called. `key` is the part of its name after the slash. */
  follow(topic: EventTopic, key?: string | number): () => void;
  /** Describes a list while it is on screen, by the hash of its key. */
  show<Row extends Versioned>(hash: string, list: ShownList<Row>): () => void;
  /** Hashes of kept answers whose object was deleted. */
  readonly deleted: Store<ReadonlySet<string>>;
  stop(): void;
}

interface AnswersOptions {
  readonly queries: QueryClient;
  readonly topics: Pick<Topics, "listen">;
  readonly clock: Clock;
}

type Operation = { readonly id: string; readonly path: string };
type AnyChange = Change<Versioned>;

interface Followed {
  readonly topic: EventTopic;
  readonly key: string | undefined;
  followers: number;
  stop(): void;
  /** Changes of this epoch that an answer on its way may lack, by object. */
  readonly recent: Map<number, { readonly change: AnyChange; readonly seq: number; readonly at: number }>;
  epoch: string | null;
  /** Waits for its turn with others that arrive shortly after. */
  pending: { readonly items: AnyChange[]; seq: number; readonly cancel: () => void } | null;
}

/** A message that makes an answer stale unless it holds everything up to this position. */
interface Outdated extends Position {
  /** Only an answer with this object; null: any. */
  readonly holding: number | null;
}

/** Changes are applied together that arrive within this time. Milliseconds. */
const BATCH = 30;
/** Longer than any answer is on its way. Milliseconds. */
const RECENT = 30_000;
/** A subscription waits this long for the answer that it continues. Milliseconds. */
const PATIENCE = 5_000;

export function nameOf(topic: { readonly name: string }, key?: string | number): string {
  return topic.name.replace(/:\w+$/, String(key ?? ""));
}

export function createAnswers(options: AnswersOptions): LiveAnswers {
  return new BrowserAnswers(options);
}

class BrowserAnswers implements LiveAnswers {
  readonly deleted = createStore<ReadonlySet<string>>(new Set());
  readonly #options: AnswersOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #shown = new Map<string, ShownList<never>>();
  /** Of answers on their way, by the hash of their keys: what they may have been computed before. */
  readonly #onWay = new Map<string, Outdated[]>();
  readonly #readAgain: ReadAgain;
  readonly #unsubscribe: () => void;

  constructor(options: AnswersOptions) {
    this.#options = options;
    const { queries, clock } = options;
    this.#readAgain = createReadAgain(queries, clock, (hash) => this.#shown.get(hash)?.visible() ?? null);
    this.#unsubscribe = queries.getQueryCache().subscribe(({ type, query, ...event }) => {
      if (type === "removed") this.#forget(query.queryHash);
      const action = type === "updated" && "action" in event ? event.action : null;
      if (action?.type === "success" && action.manual !== true) this.#arrived(query);
    });
  }

  stop(): void {
    this.#unsubscribe();
    this.#readAgain.stop();
    for (const followed of this.#followed.values()) this.#end(followed);
    this.#followed.clear();
  }

  show<Row extends Versioned>(hash: string, list: ShownList<Row>): () => void {
    const mine = list as unknown as ShownList<never>;
    this.#shown.set(hash, mine);
    return () => {
      if (this.#shown.get(hash) === mine) this.#shown.delete(hash);
    };
  }

  follow(topic: EventTopic, key?: string | number): () => void {
    const name = nameOf(topic, key);
    let followed = this.#followed.get(name);
    if (!followed) {
      followed = {
        topic,
        key: key === undefined ? undefined : String(key),
        followers: 0,
        stop: () => undefined,
        recent: new Map(),
        epoch: null,
        pending: null,
      };
      this.#followed.set(name, followed);
      this.#begin(name, followed);
    }
    const mine = followed;
    mine.followers += 1;
    return () => {
      mine.followers -= 1;
      if (mine.followers > 0 || this.#followed.get(name) !== mine) return;
      this.#followed.delete(name);
      this.#end(mine);
    };
  }

  #end(followed: Followed): void {
    followed.stop();
    this.#flush(followed);
  }

  /** Subscribes once the answers on their way have arrived, behind what they hold. */
  #begin(name: string, followed: Followed): void {
    const onWay = () =>
      this.#concerned(followed).filter(({ state }) => state.fetchStatus === "fetching" && state.data === undefined);
    const listen = () => {
      followed.stop = this.#options.topics.listen(
        name,
        {
          onEvent: (data, position) => this.#event(followed, data, position),
          onSnapshot: (position, isOfServer) => this.#snapshot(followed, position, isOfServer),
        },
        this.#oldest(followed),
      );
    };
    if (onWay().length === 0) {
      listen();
      return;
    }
    let waiting = true;
    const go = () => {
      if (!waiting) return;
      stop();
      listen();
    };
    const unsubscribe = this.#options.queries.getQueryCache().subscribe(() => onWay().length === 0 && go());
    const cancel = this.#options.clock.after(PATIENCE, go);
    const stop = () => {
      waiting = false;
      unsubscribe();
      cancel();
    };
    followed.stop = stop;
  }

  /** Where the oldest of the kept answers stands; undefined when that is not known of all. */
  #oldest(followed: Followed): Position | undefined {
    let oldest: Position | undefined;
    for (const query of this.#concerned(followed)) {
      if (query.state.data === undefined) continue;
      const position = positionOf(this.#options.queries, query.queryHash);
      if (position === null || (oldest && oldest.epoch !== position.epoch)) return undefined;
      if (!oldest || position.seq < oldest.seq) oldest = position;
    }
    return oldest;
  }

  /** The kept answers that a topic concerns, or those of it that a message names. */
  #concerned({ topic, key }: Followed, message: unknown = null): Query[] {
    const operations = [...(topic.carries?.answers ?? []), ...(topic.invalidates?.answers ?? [])];
    return operations.flatMap((operation) => this.#answersOf(operation, topic, key, message));
  }

  #answersOf({ id, path }: Operation, topic: EventTopic, key: string | undefined, message: unknown): Query[] {
    const values = new Map<string, string>();
    if (isRecord(message)) for (const [name, value] of Object.entries(message)) values.set(name, String(value));
    const ofTopic = /:(\w+)$/.exec(topic.name)?.[1];
    if (ofTopic !== undefined && key !== undefined) values.set(ofTopic, key);
    const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!).filter((name) => values.has(name));
    return this.#options.queries
      .getQueryCache()
      .findAll({ queryKey: [id] })
      .filter(({ queryKey }) => {
        const params = (queryKey[1] as { params?: Record<string, unknown> } | undefined)?.params ?? {};
        return named.every((name) => String(params[name]) === values.get(name));
      });
  }

  #event(followed: Followed, data: unknown, { epoch, seq }: Position): void {
    const { topic } = followed;
    this.#inEpoch(followed, epoch);
    if (topic.carries) this.#carry(followed, (data as { items: readonly AnyChange[] }).items, seq);
    if (topic.previews) this.#preview(followed, (data as { created: readonly Versioned[] }).created);
    const { invalidates } = topic;
    if (!invalidates) return;
    const holding = invalidates.holding ? (data as { id: number }).id : null;
    for (const operation of invalidates.answers)
      for (const query of this.#answersOf(operation, topic, followed.key, data)) this.#outdate(query, { epoch, seq, holding });
  }

  /** Shows new objects until the answers are read again, which this message leads to as well. */
  #preview({ topic, key }: Followed, created: readonly Versioned[]): void {
    for (const operation of topic.previews?.answers ?? [])
      for (const { queryKey, state } of this.#answersOf(operation, topic, key, null)) {
        const fresh = created.filter(({ id }) => !holds(state.data, id));
        if (!hasItems(state.data) || fresh.length === 0) continue;
        this.#options.queries.setQueryData(queryKey, { ...state.data, items: [...state.data.items, ...fresh] });
      }
  }

  #outdate(query: Query, message: Outdated): void {
    const { queryHash, state } = query;
    const isOnWay = state.fetchStatus === "fetching";
    if (isOnWay) this.#onWay.set(queryHash, [...(this.#onWay.get(queryHash) ?? []), message]);
    if (isOnWay && state.data === undefined) return;
    if (this.#lacks(query, message)) this.#readAgain.soon(query);
  }

  #lacks({ queryHash, state }: Query, { epoch, seq, holding }: Outdated): boolean {
    if (reaches(positionOf(this.#options.queries, queryHash), { epoch, seq })) return false;
    return holding === null || holds(state.data, holding);
  }

  #carry(followed: Followed, items: readonly AnyChange[], seq: number): void {
    const { clock } = this.#options;
    for (const change of items) followed.recent.set(change.id, { change, seq, at: clock.now() });
    followed.pending ??= { items: [], seq, cancel: clock.after(BATCH, () => this.#flush(followed)) };
    followed.pending.items.push(...items);
    followed.pending.seq = seq;
  }

  #flush(followed: Followed): void {
    const { pending, epoch, topic } = followed;
    if (!pending) return;
    pending.cancel();
    followed.pending = null;
    const { clock, queries } = this.#options;
    for (const [id, { at }] of followed.recent) if (clock.now() - at > RECENT) followed.recent.delete(id);
    for (const operation of topic.carries?.answers ?? [])
      for (const query of this.#answersOf(operation, topic, followed.key, null)) {
        const stands = positionOf(queries, query.queryHash);
        const behind = (id: number) =>
          stands?.epoch !== epoch || stands === null || (followed.recent.get(id)?.seq ?? Infinity) > stands.seq;
        this.#apply(
          query,
          pending.items.filter(({ id }) => behind(id)),
          false,
        );
        if (epoch !== null && stands?.epoch === epoch)
          movePosition(queries, query.queryHash, { epoch, seq: Math.max(stands.seq, pending.seq) });
      }
  }

  /** An answer arrived that may be older than changes that were shown before. */
  #arrived(query: Query): void {
    const { queries } = this.#options;
    this.#markDeleted(query.queryHash, false);
    const messages = this.#onWay.get(query.queryHash) ?? [];
    this.#onWay.delete(query.queryHash);
    if (messages.some((message) => this.#lacks(query, message))) this.#readAgain.soon(query);
    const stands = positionOf(queries, query.queryHash);
    for (const followed of this.#followed.values()) {
      if (!followed.topic.carries || followed.recent.size === 0) continue;
      if (!followed.topic.carries.answers.some(({ id }) => id === query.queryKey[0])) continue;
      if (!this.#concerned(followed).includes(query)) continue;
      const known = stands !== null && stands.epoch === followed.epoch;
      const newer = [...followed.recent.values()].filter(({ seq }) => !known || seq > stands.seq);
      this.#apply(
        query,
        newer.map(({ change }) => change),
        !known,
      );
    }
  }

  #apply(query: Query, changes: readonly AnyChange[], counted: boolean): void {
    const { queries } = this.#options;
    const { data } = query.state;
    if (data === undefined || changes.length === 0) return;
    if (isPages(data)) {
      const shown = this.#shown.get(query.queryHash) as Placement<Versioned> | undefined;
      const placed = place(data, changes, shown ?? { matches: () => null }, counted);
      if (placed.data !== data) queries.setQueryData<Pages<Versioned>>(query.queryKey, placed.data);
      if (placed.ask) this.#readAgain.list(query);
      else if (placed.recount) this.#readAgain.count(query);
      return;
    }
    if (!isVersioned(data)) return;
    const own = changes.filter(({ id }) => id === data.id);
    const next = own.reduce<Versioned>((known, change) => mergeObject(known, change), data);
    if (next === data) return;
    const deleted = own.find(({ version }) => version === next.version)?.deleted === true;
    if (!deleted) queries.setQueryData(query.queryKey, next);
    this.#markDeleted(query.queryHash, deleted);
  }

  /** Events were missed: what is on screen and does not hold them is read again. */
  #snapshot(followed: Followed, position: Position | null, isOfServer: boolean): void {
    if (position) this.#inEpoch(followed, position.epoch);
    for (const query of this.#concerned(followed)) {
      // Rights change in this process before their event has a position: no answer of before is as new.
      const seq = isOfServer ? Infinity : position?.seq;
      if (position && seq !== undefined) this.#outdate(query, { epoch: position.epoch, seq, holding: null });
      else this.#readAgain.soon(query);
    }
  }

  /** After a backup was restored, versions go on from those in the backup: earlier changes are not newer. */
  #inEpoch(followed: Followed, epoch: string): void {
    if (followed.epoch === epoch) return;
    followed.pending?.cancel();
    followed.pending = null;
    followed.recent.clear();
    followed.epoch = epoch;
  }

  #markDeleted(hash: string, deleted: boolean): void {
    const before = this.deleted.get();
    if (before.has(hash) === deleted) return;
    const next = new Set(before);
    if (deleted) next.add(hash);
    else next.delete(hash);
    this.deleted.set(next);
  }

  #forget(hash: string): void {
    forgetPosition(this.#options.queries, hash);
    this.#onWay.delete(hash);
    this.#readAgain.forget(hash);
    this.#markDeleted(hash, false);
  }
}
