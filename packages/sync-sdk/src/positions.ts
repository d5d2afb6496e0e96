import { mostAheadMs } from "./duty.ts";
import { SyncError, toSyncError } from "./errors.ts";
import { operations, type PositionsSyncBody, type PositionsSyncOutput } from "./generated/types.ts";
import { mostItems, type PublishedLimits } from "./operations.ts";
import { backOff, type RetryContext } from "./retry.ts";

type Item = PositionsSyncBody["items"][number];

/** Where one character is. */
export type Position = Omit<Item, "remove" | "x" | "y"> & Required<Pick<Item, "x" | "y">>;

export interface PositionsClient {
  /** The newest place of each is sent with the next call; of characters that are left out nothing changes. */
  set(places: readonly Position[]): void;
  /** These are nowhere any more. */
  remove(identifiers: readonly string[]): void;
  /** Nobody of this source is anywhere but those that are set from now on: for a plugin that has just started. */
  clear(): void;
}

/** A source counts as silent after 60 s. Milliseconds. */
export const heartbeatMs = 20_000;
/** A place that is set again without a change is sent again this often: it is a sign of life. Milliseconds. */
export const repeatMs = 10_000;
/** Longest pause while the server cannot be reached. Milliseconds. */
const longestPauseMs = 10_000;

export interface PositionsDeps {
  readonly context: RetryContext;
  readonly source: string;
  readonly boot: string;
  readonly perSecond: number;
  /** Milliseconds UTC that never go back. */
  readonly clock: () => number;
  limits(): Promise<PublishedLimits>;
  call(method: string, path: string, body: string): Promise<unknown>;
}

interface Known {
  readonly json: string;
  sentAt: number;
}

/** What one round sends. */
interface Round {
  readonly removed: readonly string[];
  readonly places: readonly string[];
}

/**
 * Places of characters: the latest wins, so nothing is stored. What changes is sent together, at most so many times a
 * second; after a failure everything that is known is sent once more.
 */
export class Positions implements PositionsClient {
  readonly #deps: PositionsDeps;
  readonly #known = new Map<string, Known>();
  readonly #pending = new Set<string>();
  readonly #removed = new Set<string>();
  /** Whose place the server rejected, so that the same rejection is reported once. */
  readonly #rejected = new Set<string>();
  #cleared = false;
  /** The round that runs has to clear, and no call of it did yet. */
  #clearing = false;
  #lastAt = 0;
  #calledAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #notBefore = 0;
  #most: number = operations["positions.sync"].maxItems;
  #pause: AbortController | null = null;
  #running: Promise<void> | null = null;

  constructor(deps: PositionsDeps) {
    this.#deps = deps;
    deps.context.signal.addEventListener("abort", () => this.#pause?.abort());
  }

  set(places: readonly Position[]): void {
    const now = this.#deps.context.timing.now();
    for (const place of places) {
      const { identifier } = place;
      const json = JSON.stringify(place);
      const known = this.#known.get(identifier);
      if (known?.json === json && now - known.sentAt < repeatMs) continue;
      this.#known.set(identifier, { json, sentAt: known?.sentAt ?? Number.NEGATIVE_INFINITY });
      this.#pending.add(identifier);
      this.#removed.delete(identifier);
    }
    this.start();
  }

  remove(identifiers: readonly string[]): void {
    for (const identifier of identifiers) {
      this.#known.delete(identifier);
      this.#pending.delete(identifier);
      this.#removed.add(identifier);
    }
    this.start();
  }

  clear(): void {
    for (const set of [this.#known, this.#pending, this.#removed, this.#rejected]) set.clear();
    this.#cleared = true;
    this.start();
  }

  /** From now on the source shows that it is there, also when nobody moves. */
  start(): void {
    if (this.#running === null) this.#running = this.#run();
    else this.#pause?.abort();
  }

  async stop(): Promise<void> {
    this.#pause?.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { timing, signal } = this.#deps.context;
    // What is set in the same turn goes out together.
    await Promise.resolve();
    while (!signal.aborted) {
      const ms = this.#waitMs();
      if (ms <= 0) {
        await this.#send();
        continue;
      }
      this.#pause = new AbortController();
      await timing.sleep(ms, this.#pause.signal, true);
      this.#pause = null;
    }
  }

  #waitMs(): number {
    const { perSecond, context } = this.#deps;
    const isPending = this.#cleared || this.#pending.size > 0 || this.#removed.size > 0;
    const due = this.#calledAt + (isPending ? 1000 / perSecond : heartbeatMs);
    return Math.max(due, this.#notBefore) - context.timing.now();
  }

  async #send(): Promise<void> {
    const { context } = this.#deps;
    this.#calledAt = context.timing.now();
    const round = this.#take();
    try {
      const { items } = await this.#deps.limits();
      this.#most = Math.max(1, Math.min(this.#most, mostItems(items, "positions") ?? this.#most));
      await this.#sendRound(round);
      if (this.#failures > 0) context.emit({ type: "positionsResumed", places: round.places.length });
      this.#failures = 0;
    } catch (thrown) {
      this.#failed(toSyncError(thrown), round);
    }
  }

  #take(): Round {
    const round = { removed: [...this.#removed], places: [...this.#pending] };
    this.#clearing = this.#cleared;
    this.#cleared = false;
    this.#removed.clear();
    this.#pending.clear();
    return round;
  }

  async #sendRound({ removed, places }: Round): Promise<void> {
    const now = this.#deps.context.timing.now();
    const items = removed.map((identifier) => JSON.stringify({ identifier, remove: true }));
    const names = [...removed];
    for (const identifier of places) {
      const known = this.#known.get(identifier);
      if (known === undefined) continue;
      known.sentAt = now;
      items.push(known.json);
      names.push(identifier);
    }
    for (let from = 0; from === 0 || from < items.length; from += this.#most)
      await this.#call(names.slice(from, from + this.#most), items.slice(from, from + this.#most));
  }

  async #call(names: readonly string[], items: readonly string[]): Promise<void> {
    const { source, boot, clock, context } = this.#deps;
    const clear = this.#clearing;
    // Of one instant the call that arrives later counts, so that one which was on its way for long would undo the next.
    const now = clock();
    this.#lastAt = this.#lastAt - now > mostAheadMs ? now : Math.max(now, this.#lastAt + 1);
    const { method, path } = operations["positions.sync"];
    const head = JSON.stringify({ source, boot, at: this.#lastAt, ...(clear && { clear }) });
    const answer = await this.#deps.call(method, path, `${head.slice(0, -1)},"items":[${items.join(",")}]}`);
    // Once is enough: a second time, when a later call of the round failed, would take away whom this one named.
    this.#clearing = false;
    const { rejected } = answer as PositionsSyncOutput;
    const refused = new Set(rejected.map(({ index }) => names[index]));
    const fresh = rejected.filter(({ index }) => !this.#rejected.has(names[index] ?? ""));
    for (const name of names)
      if (refused.has(name) && this.#known.has(name)) this.#rejected.add(name);
      else this.#rejected.delete(name);
    if (fresh.length > 0) context.emit({ type: "positionsRejected", rejected: fresh });
  }

  /** Nothing waits: once the server answers again, it gets everybody's place of that time. */
  #failed(error: SyncError, { removed }: Round): void {
    const { retry, timing, signal, emit } = this.#deps.context;
    if (signal.aborted) return;
    this.#failures += 1;
    if (error.status === 413) this.#most = Math.max(1, Math.floor(this.#most / 2));
    this.#cleared ||= this.#clearing;
    for (const identifier of removed) if (!this.#known.has(identifier)) this.#removed.add(identifier);
    for (const identifier of this.#known.keys()) this.#pending.add(identifier);
    const limits = { ...retry, maxMs: Math.min(retry.maxMs, longestPauseMs) };
    const delayMs = backOff(this.#failures, error, limits, timing);
    this.#notBefore = timing.now() + delayMs;
    if (this.#failures === 1) emit({ type: "positionsPaused", delayMs, error });
  }
}
