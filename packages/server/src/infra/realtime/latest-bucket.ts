import type { LatestTopic } from "#core/contract/index.ts";
import { type Broker, type Bucket, BrokerUnavailable, type Clock, type Log, RevisionConflict } from "#core/ports/index.ts";
import { bucketKeyOf, decodeValue, encodeValue, openLatest, type StoredValue } from "./latest.ts";
import type { StateValues } from "./values.ts";

/** `always`; or `absent`: only where the bucket has no value, because the publisher may have written a newer one. */
type Condition = "always" | "absent";

const settleMs = 50;
const retryMs = 1000;
const writesAtOnce = 200;
/** How often what waits for the time of its key is looked through. */
const sweepMs = 500;

/**
 * Keeps the bucket of a topic in step with the values in memory: reads it at the start and after an outage,
 * and writes what this process publishes. What is written is the latest value at that moment, so that many
 * changes of a key are one write.
 */
export class LatestBucket {
  readonly #broker: Broker;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #topic: LatestTopic;
  readonly #values: StateValues;
  readonly #onFound: (found: StoredValue) => void;
  #waiting = new Map<string, Condition>();
  #writing: ReadonlyMap<string, Condition> = new Map();
  /** Keys with a newer value, whose last write is not long enough ago. */
  readonly #later = new Set<string>();
  /** Monotonic instants of the last writes, of topics with `keepEveryMs`. */
  readonly #writtenAt = new Map<string, number>();
  #sweeping: { cancel(): void } | null = null;
  #epoch: string | null = null;
  #inStep = false;
  /** Monotonic instant before which the bucket is not used. */
  #notBefore = 0;
  #timer: { cancel(): void } | null = null;
  #running: Promise<void> | null = null;
  #closed = false;
  #unlisten = () => {};

  /** `onFound` takes a value of the bucket that is newer than the one in memory. */
  constructor(
    { broker, clock, log }: { readonly broker: Broker; readonly clock: Clock; readonly log: Log },
    topic: LatestTopic,
    values: StateValues,
    onFound: (found: StoredValue) => void,
  ) {
    this.#broker = broker;
    this.#clock = clock;
    this.#log = log;
    this.#topic = topic;
    this.#values = values;
    this.#onFound = onFound;
  }

  /** Resolves when the values of the bucket are in memory, or at once during an outage. */
  async start(): Promise<void> {
    this.#unlisten();
    this.#unlisten = this.#broker.onStateChange(({ up }) => {
      this.#inStep = false;
      if (up) this.#schedule();
    });
    if (this.#broker.state().up) await this.#begin();
  }

  /** This process published or removed the key; at once, when that decides who may see it. */
  published(key: string, atOnce = true): void {
    if (!atOnce && this.#isRecent(key)) {
      this.#later.add(key);
      this.#sweep();
      return;
    }
    this.#later.delete(key);
    this.#waiting.set(key, "always");
    this.#schedule();
  }

  #isRecent(key: string): boolean {
    const { keepEveryMs = 0 } = this.#topic;
    return this.#clock.monotonic() - (this.#writtenAt.get(key) ?? Number.NEGATIVE_INFINITY) < keepEveryMs;
  }

  #sweep(): void {
    this.#sweeping ??= this.#clock.setTimeout(() => {
      this.#sweeping = null;
      for (const key of this.#writtenAt.keys()) if (!this.#isRecent(key)) this.#writtenAt.delete(key);
      for (const key of this.#later) if (!this.#isRecent(key)) this.published(key);
      if (!this.#closed && (this.#later.size > 0 || this.#writtenAt.size > 0)) this.#sweep();
    }, sweepMs);
  }

  /** Another process published or removed the key, and writes that itself. */
  received(key: string): void {
    if (this.#writing.has(key)) this.published(key);
    else this.#waiting.delete(key);
    this.#later.delete(key);
  }

  #schedule(): void {
    const idle = this.#inStep && this.#waiting.size === 0;
    if (idle || this.#timer || this.#running || this.#closed || !this.#broker.state().up) return;
    const ms = Math.max(this.#inStep ? settleMs : 0, this.#notBefore - this.#clock.monotonic());
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null;
      void this.#begin();
    }, ms);
  }

  async #begin(): Promise<void> {
    this.#running = this.#run();
    await this.#running;
    this.#running = null;
    this.#schedule();
  }

  async #run(): Promise<void> {
    try {
      const bucket = await openLatest(this.#broker, this.#topic);
      if (!this.#inStep) await this.#read(bucket);
      await this.#write(bucket);
    } catch (error) {
      this.#inStep = false;
      this.#notBefore = this.#clock.monotonic() + retryMs;
      this.#log.debug({ err: error, topic: this.#topic.name }, "latest values could not be read or written");
    }
  }

  async #read(bucket: Bucket): Promise<void> {
    this.#inStep = true;
    const { epoch, entries } = await bucket.entries();
    const lost = this.#epoch !== null && epoch !== this.#epoch;
    this.#epoch = epoch;
    const written = new Map<string, number>();
    for (const entry of entries) {
      const found = decodeValue(entry);
      written.set(found.key, found.at);
      if (!this.#values.isNews(found.key, found.at, this.#clock.now())) continue;
      this.#waiting.delete(found.key);
      this.#onFound(found);
    }
    for (const [key, { at, own, data }] of this.#values.all) {
      const there = written.get(key);
      if (there !== undefined && there < at && (own || data === null)) this.#waiting.set(key, "always");
      // A key that is missing from a bucket that was not lost was deleted by another process.
      if (there !== undefined || !lost || data === null) continue;
      if (own) this.#waiting.set(key, "always");
      else if (!this.#waiting.has(key)) this.#waiting.set(key, "absent");
    }
  }

  async #write(bucket: Bucket): Promise<void> {
    const due = [...this.#waiting];
    if (due.length === 0) return;
    this.#notBefore = this.#clock.monotonic() + 1000 / this.#topic.rate;
    this.#waiting = new Map();
    this.#writing = new Map(due);
    this.#noteWrites(due.map(([key]) => key));
    try {
      for (let i = 0; i < due.length; i += writesAtOnce) {
        const puts = due.slice(i, i + writesAtOnce).map(async ([key, condition]) => await this.#put(bucket, key, condition));
        // None may still be on its way when the next round begins.
        const failed = (await Promise.allSettled(puts)).find((put) => put.status === "rejected");
        if (failed) throw failed.reason;
      }
    } catch (error) {
      // Which of them were written is unknown.
      this.#waiting = new Map([...due, ...this.#waiting]);
      throw error;
    } finally {
      this.#writing = new Map();
    }
  }

  #noteWrites(keys: readonly string[]): void {
    if (this.#topic.keepEveryMs === undefined) return;
    const now = this.#clock.monotonic();
    for (const key of keys) this.#writtenAt.set(key, now);
    this.#sweep();
  }

  async #put(bucket: Bucket, key: string, condition: Condition): Promise<void> {
    const value = this.#values.present.get(key);
    try {
      if (!value) await bucket.delete(bucketKeyOf(key));
      else if (condition === "always") await bucket.put(bucketKeyOf(key), encodeValue(value));
      else await bucket.create(bucketKeyOf(key), encodeValue(value));
    } catch (error) {
      if (error instanceof BrokerUnavailable) throw error;
      if (error instanceof RevisionConflict) return;
      this.#log.warn({ err: error, topic: this.#topic.name, key }, "a latest value could not be written");
    }
  }

  /** Writes what waits, so that it outlives this process. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#unlisten();
    this.#timer?.cancel();
    this.#sweeping?.cancel();
    await this.#running;
    for (const key of this.#later) this.#waiting.set(key, "always");
    if (this.#waiting.size > 0 && this.#broker.state().up) await this.#run();
  }
}
