import { AckPolicy, DeliverPolicy, type ConsumerMessages, type JsMsg } from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import type { ConsumeOptions, StreamMessage, Subscription } from "#core/ports/index.ts";
import { redeliveryDelay } from "../options.ts";
import { checkName } from "../subjects.ts";
import { isConsumerMissing } from "./errors.ts";
import type { Connected, NatsLink } from "./link.ts";
import { checkPosition, infoOf, messageOf } from "./streams.ts";

/**
 * A member of a shared durable consumer. It fetches one message at a time: further messages in flight at
 * a shutdown would be unavailable to the other members until the acknowledgement times out.
 */
export class Durable implements Subscription {
  readonly #link: NatsLink;
  readonly #ownStream: string;
  readonly #ownName: string;
  readonly #handler: (message: StreamMessage) => Promise<void>;
  readonly #closing = new AbortController();
  /** A consumer that is created again later reads from the first message, so that none is skipped. */
  #start: ConsumeOptions["start"];
  #fetch: ConsumerMessages | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(
    link: NatsLink,
    stream: string,
    options: ConsumeOptions & { durable: string },
    handler: (message: StreamMessage) => Promise<void>,
  ) {
    this.#link = link;
    this.#ownStream = stream;
    this.#ownName = checkName(options.durable);
    this.#start = options.start;
    this.#handler = handler;
  }

  get #stream(): string {
    return this.#link.named(this.#ownStream);
  }

  get #name(): string {
    return this.#link.named(this.#ownName);
  }

  async open(): Promise<this> {
    if (this.#link.state.current.up) await this.#ensure();
    const stopListening = this.#link.state.listen((state) => {
      if (!state.up) this.#fetch?.stop();
    });
    const signal = AbortSignal.any([this.#closing.signal, this.#link.closed]);
    this.#running = this.#run(signal).finally(stopListening);
    return this;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#fetch?.stop();
    await this.#running;
  }

  async #ensure(): Promise<void> {
    await this.#link.call(async ({ jsm }) => {
      try {
        const { config } = await jsm.consumers.info(this.#stream, this.#name);
        const ack_wait = nanos(this.#link.tuning.ackWaitMs);
        if (config.ack_wait !== ack_wait) await jsm.consumers.update(this.#stream, this.#name, { ack_wait });
      } catch (error) {
        if (!isConsumerMissing(error)) throw error;
        if (typeof this.#start === "object") {
          checkPosition(this.#stream, infoOf(await jsm.streams.info(this.#stream)), this.#start.seq);
        }
        await jsm.consumers.add(this.#stream, {
          durable_name: this.#name,
          ack_policy: AckPolicy.Explicit,
          ack_wait: nanos(this.#link.tuning.ackWaitMs),
          max_deliver: -1,
          max_ack_pending: 10_000,
          ...startPolicy(this.#start),
        });
      }
    });
    this.#start = "all";
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      try {
        const connected = await this.#link.whenUp(signal);
        await this.#ensure();
        await this.#pump(connected, signal, () => (failures = 0));
      } catch (error) {
        if (signal.aborted) return;
        this.#link.input.log.debug({ err: error, stream: this.#ownStream, durable: this.#ownName }, "durable consumer restarts");
        const pause = redeliveryDelay({ ...this.#link.tuning, redeliveryMs: { first: 50, max: 2000 } }, ++failures);
        await this.#link.input.clock.sleep(pause, signal).catch(() => {});
      }
    }
  }

  async #pump(connected: Connected, signal: AbortSignal, progress: () => void): Promise<void> {
    const consumer = await connected.js.consumers.get(this.#stream, this.#name);
    while (!signal.aborted) {
      const messages = await consumer.fetch({ max_messages: 1, expires: 30_000, idle_heartbeat: 5000 });
      this.#fetch = messages;
      if (!this.#current(connected)) messages.stop();
      for await (const m of messages) {
        if (signal.aborted) m.nak();
        else await this.#deliver(m);
        progress();
      }
      this.#fetch = null;
      if (!this.#current(connected)) return;
    }
  }

  #current(connected: Connected): boolean {
    return this.#link.state.current.up && this.#link.connected().generation === connected.generation;
  }

  async #deliver(m: JsMsg): Promise<void> {
    const message = messageOf(this.#link, m);
    const { clock, log } = this.#link.input;
    let alive = { cancel: () => {} };
    const beat = () => {
      alive = clock.setTimeout(() => (m.working(), beat()), this.#link.tuning.ackWaitMs / 3);
    };
    beat();
    try {
      await this.#handler(message);
      m.ack();
    } catch (error) {
      log.warn(
        { err: error, stream: this.#ownStream, durable: this.#ownName, seq: m.seq, attempt: message.attempt },
        "message handler failed",
      );
      m.nak(redeliveryDelay(this.#link.tuning, message.attempt));
    } finally {
      alive.cancel();
    }
  }
}

function startPolicy(start: ConsumeOptions["start"]) {
  if (start === "new") return { deliver_policy: DeliverPolicy.New };
  if (start === "all") return { deliver_policy: DeliverPolicy.All };
  return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.max(1, start.seq) };
}
