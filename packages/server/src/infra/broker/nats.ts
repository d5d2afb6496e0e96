import type { Subscription as NatsSubscription, NatsConnection } from "@nats-io/transport-node";
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
import { NatsBucket } from "./nats/bucket.ts";
import { Durable } from "./nats/durable.ts";
import { type NatsInput, NatsLink } from "./nats/link.ts";
import { append, ensureStream, infoOf, messageOf, read } from "./nats/streams.ts";
import { Tail } from "./nats/tail.ts";
import { checkPattern, checkSubject } from "./subjects.ts";

/** The broker port on NATS 2.9 or later with JetStream. */
export class NatsBroker implements Broker {
  readonly kind = "nats";
  readonly #link: NatsLink;
  readonly #open = new Set<Subscription>();
  readonly #buckets = new Map<string, Promise<NatsBucket>>();

  constructor(input: NatsInput) {
    this.#link = new NatsLink(input);
  }

  /** Throws `BrokerUnavailable` with one line for the operator, unless started in the background. */
  async start(): Promise<this> {
    await this.#link.start();
    return this;
  }

  state(): BrokerState {
    return this.#link.state.current;
  }

  onStateChange(listener: (state: BrokerState) => void): () => void {
    return this.#link.state.listen(listener);
  }

  async publish(subject: string, data: Uint8Array): Promise<void> {
    checkSubject(subject);
    if (data.byteLength > maxMessageBytes) {
      throw new MessageTooLarge(`a message of ${data.byteLength} bytes on ${subject}: at most ${maxMessageBytes}`);
    }
    this.#link.connected().nc.publish(this.#link.subject(subject), data);
  }

  subscribe(subject: string, handler: (message: { subject: string; data: Uint8Array }) => void): Subscription {
    checkPattern(subject);
    let current: NatsSubscription | null = null;
    let closed = false;
    this.#link.attach((nc: NatsConnection) => {
      if (closed) return;
      current = nc.subscribe(this.#link.subject(subject), {
        callback: (error, m) => {
          if (error) return this.#link.input.log.warn({ err: error, subject }, "subscription failed");
          try {
            handler({ subject: this.#link.ownSubject(m.subject), data: m.data });
          } catch (failure) {
            this.#link.input.log.error({ err: failure, subject }, "message handler failed");
          }
        },
      });
    });
    return {
      close: async () => {
        closed = true;
        current?.unsubscribe();
      },
    };
  }

  ensureStream(definition: StreamDefinition): Promise<void> {
    return ensureStream(this.#link, definition);
  }

  append(subject: string, data: Uint8Array, options: { id: string }): Promise<{ seq: number; duplicate: boolean }> {
    return append(this.#link, subject, data, options.id);
  }

  async streamInfo(stream: string): Promise<StreamInfo> {
    return this.#link.call(async ({ jsm }) => infoOf(await jsm.streams.info(this.#link.named(stream))));
  }

  read(stream: string, fromSeq: number, limit: number): Promise<StreamMessage[]> {
    return read(this.#link, stream, fromSeq, limit);
  }

  async consume(
    stream: string,
    options: ConsumeOptions,
    handler: (message: StreamMessage) => Promise<void>,
  ): Promise<Subscription> {
    const { durable } = options;
    const reader =
      durable === undefined
        ? new Tail(this.#link, { own: stream, name: () => this.#link.named(stream) }, options.start, {
            message: (m, attempt) => handler({ ...messageOf(this.#link, m), attempt }),
            ...(options.onReset ? { reset: options.onReset } : {}),
          })
        : new Durable(this.#link, stream, { ...options, durable }, handler);
    await reader.open();
    this.#open.add(reader);
    return {
      close: async () => {
        this.#open.delete(reader);
        await reader.close();
      },
    };
  }

  bucket(name: string, options: { ttlMs?: number } = {}): Promise<Bucket> {
    const known = this.#buckets.get(name);
    if (known) return known;
    const opening = new NatsBucket(this.#link, name, options.ttlMs ?? null).open(this.state().up);
    this.#buckets.set(name, opening);
    opening.catch(() => this.#buckets.delete(name));
    return opening;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((reader) => reader.close()));
    await this.#link.close();
  }
}
