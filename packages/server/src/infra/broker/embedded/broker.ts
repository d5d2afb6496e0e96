import {
  type Broker,
  type BrokerState,
  type Bucket,
  type ConsumeOptions,
  maxMessageBytes,
  MessageTooLarge,
  type StreamDefinition,
  type StreamInfo,
  type StreamMessage,
  type Subscription,
} from "#core/ports/index.ts";
import { checkName, checkPattern, checkSubject } from "../subjects.ts";
import { EmbeddedBucket } from "./bucket.ts";
import { type EmbeddedInput, StoreClient } from "./client.ts";
import { DurableGroup } from "./durable.ts";
import { Tail, Wakeups } from "./readers.ts";
import { SubjectTrie } from "./trie.ts";

type Listener = (message: { subject: string; data: Uint8Array }) => void;

const sweepEveryMs = 30_000;

/** The broker port within a single serving process; streams and buckets are in a file of their own. */
export class EmbeddedBroker implements Broker {
  readonly kind = "embedded";
  readonly #store: StoreClient;
  readonly #wakeups = new Wakeups();
  readonly #listeners = new SubjectTrie<Listener>();
  readonly #groups = new Map<string, DurableGroup>();
  readonly #buckets = new Map<string, EmbeddedBucket>();
  readonly #streams = new Map<string, StreamDefinition>();
  readonly #open = new Set<Subscription>();
  #sweeping: { cancel(): void } | null = null;

  constructor(input: EmbeddedInput) {
    this.#store = new StoreClient(input);
    this.#store.state.listen((state) => {
      if (state.up) void this.#restore();
    });
  }

  /** Throws `BrokerUnavailable` when another process serves the file, unless started in the background. */
  async start(): Promise<this> {
    if (this.#store.input.start === "background") this.#store.openInBackground();
    else await this.#store.open();
    this.#scheduleSweep();
    return this;
  }

  /** After an outage: creates the streams that were defined meanwhile, and wakes readers. */
  async #restore(): Promise<void> {
    const ensured = [...this.#streams.values()].map((d) => this.#store.call("ensureStream", d));
    await Promise.allSettled(ensured);
    this.#wakeups.wakeAll();
  }

  state(): BrokerState {
    return this.#store.state.current;
  }

  onStateChange(listener: (state: BrokerState) => void): () => void {
    return this.#store.state.listen(listener);
  }

  async publish(subject: string, data: Uint8Array): Promise<void> {
    checkMessage(subject, data);
    this.#dispatch(subject, data);
  }

  subscribe(subject: string, handler: Listener): Subscription {
    const remove = this.#listeners.add(checkPattern(subject), (message) => {
      try {
        handler(message);
      } catch (error) {
        this.#store.input.log.error({ err: error, subject }, "message handler failed");
      }
    });
    return { close: async () => remove() };
  }

  /** Asynchronous, as with a server: listeners never run inside `publish`. */
  #dispatch(subject: string, data: Uint8Array): void {
    const listeners = this.#listeners.find(subject);
    if (listeners.length === 0) return;
    setImmediate(() => {
      for (const listener of listeners) listener({ subject, data });
    });
  }

  async ensureStream(definition: StreamDefinition): Promise<void> {
    checkName(definition.name);
    definition.subjects.forEach(checkPattern);
    this.#streams.set(definition.name, definition);
    await this.#store.call("ensureStream", definition);
  }

  async append(subject: string, data: Uint8Array, options: { id: string }): Promise<{ seq: number; duplicate: boolean }> {
    checkMessage(subject, data);
    // A view into a larger buffer would send the whole buffer to the other thread.
    const own = data.byteLength === data.buffer.byteLength ? data : Uint8Array.from(data);
    const { stream, seq, duplicate } = await this.#store.call("append", subject, own, options.id);
    if (!duplicate) {
      this.#wakeups.wake(stream);
      this.#dispatch(subject, data);
    }
    return { seq, duplicate };
  }

  streamInfo(stream: string): Promise<StreamInfo> {
    return this.#store.call("streamInfo", stream);
  }

  async read(stream: string, fromSeq: number, limit: number): Promise<StreamMessage[]> {
    return (await this.#store.call("read", stream, fromSeq, limit)).messages;
  }

  async consume(
    stream: string,
    options: ConsumeOptions,
    handler: (message: StreamMessage) => Promise<void>,
  ): Promise<Subscription> {
    const reader =
      options.durable === undefined
        ? await new Tail(this.#store, this.#wakeups, stream, options, handler).open()
        : await this.#group(stream, checkName(options.durable)).join(options.start, handler, () =>
            this.#groups.delete(`${stream} ${options.durable}`),
          );
    const subscription = {
      close: async () => {
        if (this.#open.delete(subscription)) await reader.close();
      },
    };
    this.#open.add(subscription);
    return subscription;
  }

  #group(stream: string, durable: string): DurableGroup {
    const name = `${stream} ${durable}`;
    const group = this.#groups.get(name) ?? new DurableGroup(this.#store, this.#wakeups, stream, durable);
    this.#groups.set(name, group);
    return group;
  }

  async bucket(name: string, options: { ttlMs?: number } = {}): Promise<Bucket> {
    const known = this.#buckets.get(checkName(name));
    if (known) return known;
    const bucket = new EmbeddedBucket(this.#store, name, options.ttlMs ?? null);
    this.#buckets.set(name, bucket);
    if (this.state().up) await bucket.open();
    return bucket;
  }

  /** For repairs and tests: deletes a stream with its messages and consumers, and creates it again. */
  async recreateStream(name: string): Promise<void> {
    const definition = this.#streams.get(name);
    await this.#store.call("dropStream", name);
    if (definition) await this.#store.call("ensureStream", definition);
    this.#wakeups.wake(name);
  }

  #scheduleSweep(): void {
    this.#sweeping = this.#store.input.clock.setTimeout(() => {
      this.sweep().catch((error) => this.#store.input.log.warn({ err: error }, "old messages could not be deleted"));
      this.#scheduleSweep();
    }, sweepEveryMs);
  }

  /** Applies the streams' limits now; also runs every 30 s. */
  sweep(): Promise<void> {
    return this.#store.call("sweep");
  }

  async close(): Promise<void> {
    this.#sweeping?.cancel();
    await Promise.all([...this.#open].map((reader) => reader.close()));
    for (const bucket of this.#buckets.values()) bucket.stop();
    await this.#store.close();
  }
}

function checkMessage(subject: string, data: Uint8Array): void {
  checkSubject(subject);
  if (data.byteLength > maxMessageBytes) {
    throw new MessageTooLarge(`a message of ${data.byteLength} bytes on ${subject}: at most ${maxMessageBytes}`);
  }
}
