import type { ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import { BrokerUnavailable, StreamPositionLost, type StreamInfo, type Subscription } from "#core/ports/index.ts";
import { redeliveryDelay } from "../options.ts";
import type { Connected, NatsLink } from "./link.ts";
import { checkPosition, ephemeral, infoOf, renewEpoch } from "./streams.ts";

export type TailStart = "new" | "all" | "lastPerSubject" | { readonly seq: number };

/** A stream by its name in the port, and by its name on the server, which may change. */
export interface TailedStream {
  readonly own: string;
  readonly name: () => string;
}

export interface TailHooks {
  message(m: JsMsg, attempt: number): Promise<void>;
  reset?(info: StreamInfo, reason: "epoch" | "gap"): void;
}

/** The connection was lost, or a delivery was missed: restart from the last position. */
class Interrupted extends Error {}

/**
 * An ordered reader of a whole stream that survives reconnects: a consumer that the server deleted is
 * created again from the message after the last one handled.
 */
export class Tail implements Subscription {
  readonly #link: NatsLink;
  readonly #tailed: TailedStream;
  readonly #start: TailStart;
  readonly #hooks: TailHooks;
  readonly #closing = new AbortController();
  readonly #established = Promise.withResolvers<void>();
  #position: { epoch: string; next: number } | null = null;
  #fetch: ConsumerMessages | null = null;
  #present = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(link: NatsLink, tailed: TailedStream, start: TailStart, hooks: TailHooks) {
    this.#link = link;
    this.#tailed = tailed;
    this.#start = start;
    this.#hooks = hooks;
  }

  get #stream(): string {
    return this.#tailed.name();
  }

  /** Resolves when the position is known, or at once while the broker is down. */
  async open(): Promise<this> {
    const signal = AbortSignal.any([this.#closing.signal, this.#link.closed]);
    const stopListening = this.#link.state.listen((state) => {
      if (!state.up) this.#fetch?.stop();
    });
    this.#running = this.#run(signal).finally(stopListening);
    if (this.#link.state.current.up) await this.#established.promise;
    else this.#established.promise.catch((error) => this.#link.input.log.error({ err: error }, "a stream cannot be read"));
    return this;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#fetch?.stop();
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      try {
        const connected = await this.#link.whenUp(signal);
        await this.#pump(connected, await this.#consumer(connected), signal, () => (failures = 0));
      } catch (error) {
        if (signal.aborted) break;
        if (error instanceof StreamPositionLost) return this.#established.reject(error);
        if (!(error instanceof Interrupted)) {
          this.#link.input.log.debug({ err: error, stream: this.#tailed.own }, "stream reader restarts");
        }
        if (error instanceof BrokerUnavailable) this.#established.resolve();
        const pause = redeliveryDelay({ ...this.#link.tuning, redeliveryMs: { first: 50, max: 2000 } }, ++failures);
        await this.#link.input.clock.sleep(pause, signal).catch(() => {});
      }
    }
    this.#established.resolve();
  }

  /** Creates the server's consumer at the right position, and reports a lost position. */
  async #consumer(connected: Connected): Promise<{ name: string }> {
    const info = await this.#link.call(async ({ jsm }) => infoOf(await jsm.streams.info(this.#stream)));
    const start = await this.#resume(info);
    const consumer = ephemeral(start);
    const { num_pending } = await this.#link.call(() => connected.jsm.consumers.add(this.#stream, consumer));
    this.#present = this.#start === "lastPerSubject" ? num_pending : 0;
    this.#resolveWhenCaughtUp();
    return consumer;
  }

  /** A reader of existing values counts as open when it has delivered them. */
  #resolveWhenCaughtUp(): void {
    if (this.#present <= 0) this.#established.resolve();
  }

  async #resume(info: StreamInfo): Promise<{ seq: number } | "lastPerSubject"> {
    const at = this.#position;
    if (!at) {
      const next = this.#first(info);
      this.#position = { epoch: info.epoch, next };
      return this.#start === "lastPerSubject" ? "lastPerSubject" : { seq: next };
    }
    if (info.epoch === at.epoch && at.next > info.last + 1) {
      info = await renewEpoch(this.#link, this.#stream);
    }
    const reason = info.epoch !== at.epoch ? "epoch" : at.next < info.first ? "gap" : null;
    if (!reason) return { seq: at.next };
    this.#position = { epoch: info.epoch, next: info.first };
    this.#link.input.log.warn({ stream: this.#tailed.own, reason }, "stream position was lost");
    this.#hooks.reset?.(info, reason);
    return this.#start === "lastPerSubject" ? "lastPerSubject" : { seq: info.first };
  }

  #first(info: StreamInfo): number {
    if (typeof this.#start !== "object") return this.#start === "new" ? info.last + 1 : info.first;
    return checkPosition(this.#stream, info, this.#start.seq);
  }

  async #pump(connected: Connected, { name }: { name: string }, signal: AbortSignal, progress: () => void): Promise<void> {
    const consumer = await connected.js.consumers.get(this.#stream, name);
    let delivered = 0;
    while (!signal.aborted) {
      const messages = await consumer.fetch({ max_messages: 400, expires: 30_000, idle_heartbeat: 5000 });
      this.#fetch = messages;
      // The connection may have changed while the request was made.
      if (!this.#current(connected)) messages.stop();
      for await (const m of messages) {
        if (signal.aborted) return;
        if (m.info.deliverySequence !== ++delivered) throw new Interrupted("a delivery was missed");
        await this.#deliver(m, signal);
        this.#present--;
        this.#resolveWhenCaughtUp();
        progress();
      }
      this.#fetch = null;
      if (!this.#current(connected)) throw new Interrupted("the connection changed");
    }
    await connected.jsm.consumers.delete(this.#stream, name).catch(() => {});
  }

  #current(connected: Connected): boolean {
    return this.#link.state.current.up && this.#link.connected().generation === connected.generation;
  }

  async #deliver(m: JsMsg, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        await this.#hooks.message(m, attempt);
        if (this.#position) this.#position.next = m.seq + 1;
        return;
      } catch (error) {
        this.#link.input.log.warn({ err: error, stream: this.#tailed.own, seq: m.seq, attempt }, "message handler failed");
        await this.#link.input.clock.sleep(redeliveryDelay(this.#link.tuning, attempt), signal).catch(() => {});
      }
    }
  }
}
