import { noTracing } from "#core/ports/index.ts";
import type { Broker, Clock, Database, EventMessage, Ids, Log, Metrics, Tracing } from "#core/ports/index.ts";
import { type ClaimedRow, claimRows, markSent, release, releaseAll, unsent } from "./claim.ts";
import { cleanUp } from "./cleanup.ts";
import { encodeEvent, subjectOf } from "./wire.ts";

export interface RelayOptions {
  readonly db: Database;
  readonly broker: Broker;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing?: Tracing;
  /** No other relay works on this database, so claims found at the start belong to a relay that died. */
  readonly alone?: boolean;
}

const pollMs = 1000;
const backoffMs = { first: 100, max: 5000 };
export const cleanEveryMs = 10 * 60_000;

/**
 * Publishes the rows of `outbox_events` to the stream EVENTS, in order per key. Any number of relays
 * may run. A row is published again when its relay dies before marking it; the broker drops the duplicate
 * by its message id.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #me: string;
  readonly #published;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #nudged = false;
  #wake: (() => void) | null = null;
  #oldest: number | null = null;
  #failures = 0;
  #rounds = 0;
  #cleanedAt = Number.NEGATIVE_INFINITY;
  #mayReleaseClaims: boolean;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#me = options.ids.next();
    this.#mayReleaseClaims = options.alone === true;
    this.#published = options.metrics.counter("rollcall_outbox_published_total", "Events published from the outbox", ["outcome"]);
    options.metrics.gauge(
      "rollcall_outbox_lag_seconds",
      "Age of the oldest event that is not published",
      () => this.lagMs() / 1000,
    );
  }

  /** Age of the oldest unpublished event in milliseconds, as of the last round; 0 when there is none. */
  lagMs(): number {
    return this.#oldest === null ? 0 : Math.max(0, this.#options.clock.now() - this.#oldest);
  }

  /** Events were committed: publishes now, unless a failure's back-off is running. */
  nudge(): void {
    this.#nudged = true;
    if (this.#failures === 0) this.#wake?.();
  }

  start(): void {
    const unlisten = this.#options.broker.onStateChange((state) => {
      if (!state.up) return;
      this.#failures = 0;
      this.nudge();
    });
    this.#running = this.#run().finally(unlisten);
  }

  /** Finishes the current batch. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#nudged = false;
      let more = false;
      try {
        await this.#cleanUpIfDue();
        more = await this.#round();
        this.#failures = 0;
      } catch (error) {
        this.#failures++;
        this.#options.log.warn({ err: error, failures: this.#failures }, "events could not be published");
      }
      if (!more) await this.#pause();
    }
  }

  /** Waits for a nudge or the next poll; after a failure for the back-off, regardless of nudges. */
  async #pause(): Promise<void> {
    const failing = this.#failures > 0;
    if (this.#nudged && !failing) return;
    // When the broker comes back, `start` resets the failures and nudges, which ends the wait.
    const delay = failing ? Math.min(backoffMs.max, backoffMs.first * 2 ** Math.min(this.#failures - 1, 10)) : pollMs;
    const waiting = new AbortController();
    const stopped = () => waiting.abort();
    this.#stop.signal.addEventListener("abort", stopped);
    this.#wake = stopped;
    if (!this.#stop.signal.aborted) await this.#options.clock.sleep(delay, waiting.signal).catch(() => {});
    this.#wake = null;
    this.#stop.signal.removeEventListener("abort", stopped);
  }

  /** True when there may be more to do. */
  async #round(): Promise<boolean> {
    const { db, broker } = this.#options;
    if (this.#mayReleaseClaims) await db.write("outbox.releaseAll", releaseAll);
    this.#mayReleaseClaims = false;
    const waiting = await db.read("outbox.look", unsent);
    this.#oldest = waiting[0]?.createdAt ?? null;
    if (waiting.length === 0 || !broker.state().up) return false;
    const claim = `${this.#me}-${(++this.#rounds).toString(36)}`;
    const rows = await db.write("outbox.claim", (tx) => claimRows(db, tx, claim));
    if (rows.length === 0) return false;
    const { sent, failure } = await this.#publish(rows);
    await db.write("outbox.mark", async (tx) => {
      const left = rows.filter((r) => !sent.has(r.id)).map((r) => r.id);
      if (sent.size > 0) await markSent(db, tx, [...sent]);
      if (left.length > 0) await release(tx, claim, left);
    });
    this.#published.inc({ outcome: "sent" }, sent.size);
    if (failure === null) return true;
    this.#published.inc({ outcome: "failed" }, rows.length - sent.size);
    throw failure;
  }

  /** Publishes keys in parallel, and the rows of one key in order until one fails. */
  async #publish(rows: readonly ClaimedRow[]): Promise<{ sent: Set<number>; failure: Error | null }> {
    const byKey = Map.groupBy(rows, (row) => row.message.key);
    const sent = new Set<number>();
    let failure: Error | null = null;
    await Promise.all(
      [...byKey.values()].map(async (ofKey) => {
        for (const { id, message } of ofKey) {
          try {
            await this.#send(message);
            sent.add(id);
          } catch (error) {
            failure = error as Error;
            return;
          }
        }
      }),
    );
    return { sent, failure };
  }

  async #send(message: EventMessage): Promise<void> {
    const { broker, tracing = noTracing } = this.#options;
    const { type, eventId: id, trace } = message;
    await tracing.from(trace, async () => await broker.append(subjectOf(type), encodeEvent(message), { id }));
  }

  async #cleanUpIfDue(): Promise<void> {
    const { clock, db, log } = this.#options;
    if (clock.monotonic() - this.#cleanedAt < cleanEveryMs) return;
    this.#cleanedAt = clock.monotonic();
    const deleted = await cleanUp(db);
    if (deleted.events + deleted.inbox > 0) log.debug(deleted, "old outbox rows deleted");
  }
}

/** Publishes once it is started and the stream exists. */
export function createRelay(options: RelayOptions): Relay {
  return new Relay(options);
}
