import type { ConsumeOptions, StreamMessage, Subscription } from "#core/ports/index.ts";
import { redeliveryDelay } from "../options.ts";
import type { StoreClient } from "./client.ts";
import { Flag, type Wakeups } from "./readers.ts";

type Handler = (message: StreamMessage) => Promise<void>;

/** Messages read from the store at once, for all members together. */
const batch = 64;

/** One durable consumer of this process; its members share the messages. */
export class DurableGroup {
  readonly #store: StoreClient;
  readonly #stream: string;
  readonly #name: string;
  readonly #members = new Set<Member>();
  readonly #unlisten: () => void;
  #buffer: StreamMessage[] = [];
  #filling: Promise<void> | null = null;
  #timer: { cancel(): void } | null = null;
  #start: ConsumeOptions["start"] = "all";
  #opened = false;

  constructor(store: StoreClient, wakeups: Wakeups, stream: string, name: string) {
    this.#store = store;
    this.#stream = stream;
    this.#name = name;
    this.#unlisten = wakeups.listen(stream, () => this.#wake());
  }

  async join(start: ConsumeOptions["start"], handler: Handler, onEmpty: () => void): Promise<Subscription> {
    this.#start = start;
    if (this.#store.state.current.up) await this.#open();
    const member = new Member(this, handler);
    this.#members.add(member);
    member.start();
    return {
      close: async () => {
        await member.stop();
        this.#members.delete(member);
        if (this.#members.size > 0) return;
        onEmpty();
        await this.#leave();
      },
    };
  }

  /** The next message, or null when there is none now. */
  async next(): Promise<StreamMessage | null> {
    if (this.#buffer.length === 0) await (this.#filling ??= this.#fill().finally(() => (this.#filling = null)));
    return this.#buffer.shift() ?? null;
  }

  async #open(): Promise<void> {
    if (this.#opened) return;
    await this.#store.call("openDurable", this.#stream, this.#name, this.#start);
    this.#opened = true;
  }

  async #fill(): Promise<void> {
    await this.#open();
    const { messages, due } = await this.#store.call("take", this.#stream, this.#name, batch);
    this.#buffer.push(...messages);
    this.#timer?.cancel();
    this.#timer = null;
    if (due !== null) this.#wakeAt(due);
  }

  #wakeAt(due: number): void {
    const { clock } = this.#store.input;
    this.#timer = clock.setTimeout(() => this.#wake(), Math.max(0, due - clock.now()));
  }

  #wake(): void {
    for (const member of this.#members) member.wakeup.set();
  }

  async handle(message: StreamMessage, handler: Handler): Promise<void> {
    const { clock, log } = this.#store.input;
    try {
      await handler(message);
    } catch (error) {
      log.warn(
        { err: error, stream: this.#stream, durable: this.#name, seq: message.seq, attempt: message.attempt },
        "message handler failed",
      );
      await this.#return(message, clock.now() + redeliveryDelay(this.#store.tuning, message.attempt));
      return;
    }
    // Not awaited, because a lost acknowledgement only means that the message is delivered again.
    this.#store
      .call("ack", this.#stream, this.#name, message.seq)
      .catch((error) => log.warn({ err: error }, "acknowledgement was lost"));
  }

  async #return(message: StreamMessage, due: number): Promise<void> {
    await this.#store.call("nak", this.#stream, this.#name, message.seq, due);
    this.#wake();
  }

  pause(attempt: number, signal: AbortSignal): Promise<void> {
    const delay = redeliveryDelay({ ...this.#store.tuning, redeliveryMs: { first: 50, max: 2000 } }, attempt);
    return this.#store.input.clock.sleep(delay, signal).catch(() => {});
  }

  async #leave(): Promise<void> {
    this.#unlisten();
    this.#timer?.cancel();
    const left = this.#buffer.splice(0);
    for (const message of left) await this.#return(message, 0).catch(() => {});
  }
}

class Member {
  readonly wakeup = new Flag();
  readonly #group: DurableGroup;
  readonly #handler: Handler;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(group: DurableGroup, handler: Handler) {
    this.#group = group;
    this.#handler = handler;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.wakeup.set();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stop.signal.aborted;) {
      try {
        const message = await this.#group.next();
        if (message) await this.#group.handle(message, this.#handler);
        else await this.wakeup.wait();
        failures = 0;
      } catch {
        await this.#group.pause(++failures, this.#stop.signal);
      }
    }
  }
}
