import type { ConsumeOptions, StreamInfo, StreamMessage, Subscription } from "#core/ports/index.ts";
import { StreamPositionLost } from "#core/ports/index.ts";
import { redeliveryDelay } from "../options.ts";
import type { StoreClient } from "./client.ts";

type Handler = (message: StreamMessage) => Promise<void>;

/** Wakes the readers of a stream after an append or when the store is up again. */
export class Wakeups {
  readonly #sleeping = new Map<string, Set<() => void>>();

  wake(stream: string): void {
    for (const wake of this.#sleeping.get(stream) ?? []) wake();
  }

  wakeAll(): void {
    for (const stream of this.#sleeping.keys()) this.wake(stream);
  }

  listen(stream: string, wake: () => void): () => void {
    const set = this.#sleeping.get(stream) ?? new Set();
    this.#sleeping.set(stream, set.add(wake));
    return () => set.delete(wake);
  }
}

/** A flag that can be awaited: if it is set before `wait`, the next `wait` resolves at once. */
export class Flag {
  #isSet = false;
  #waiting: (() => void) | null = null;

  set(): void {
    this.#isSet = true;
    this.#waiting?.();
  }

  async wait(): Promise<void> {
    if (!this.#isSet) {
      await new Promise<void>((resolve) => (this.#waiting = resolve));
      this.#waiting = null;
    }
    this.#isSet = false;
  }
}

/** An ordered reader of a whole stream, with its position in memory. */
export class Tail implements Subscription {
  readonly #store: StoreClient;
  readonly #stream: string;
  readonly #options: ConsumeOptions;
  readonly #handler: Handler;
  readonly #wakeup = new Flag();
  readonly #stop = new AbortController();
  readonly #unlisten: () => void;
  #position: { epoch: string; next: number } | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(store: StoreClient, wakeups: Wakeups, stream: string, options: ConsumeOptions, handler: Handler) {
    this.#store = store;
    this.#stream = stream;
    this.#options = options;
    this.#handler = handler;
    this.#unlisten = wakeups.listen(stream, () => this.#wakeup.set());
  }

  async open(): Promise<this> {
    if (this.#store.state.current.up) await this.#begin();
    this.#running = this.#run();
    return this;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#unlisten();
    this.#wakeup.set();
    await this.#running;
  }

  async #begin(): Promise<void> {
    const info = await this.#store.call("streamInfo", this.#stream);
    this.#position = { epoch: info.epoch, next: startOf(this.#stream, this.#options.start, info) };
  }

  async #run(): Promise<void> {
    for (let failures = 0; !this.#stop.signal.aborted;) {
      try {
        if (!this.#position) await this.#begin();
        while (!this.#stop.signal.aborted) if (!(await this.#step())) await this.#wakeup.wait();
      } catch (error) {
        if (error instanceof StreamPositionLost) {
          this.#store.input.log.error({ err: error }, "a stream cannot be read");
          return;
        }
        const pause = redeliveryDelay({ ...this.#store.tuning, redeliveryMs: { first: 50, max: 2000 } }, ++failures);
        await this.#store.input.clock.sleep(pause, this.#stop.signal).catch(() => {});
      }
    }
  }

  /** False when the end was reached. */
  async #step(): Promise<boolean> {
    const at = this.#position as { epoch: string; next: number };
    const { info, messages } = await this.#store.call("read", this.#stream, at.next, 256);
    const reason = info.epoch !== at.epoch ? "epoch" : at.next < info.first ? "gap" : null;
    if (reason) {
      this.#position = { epoch: info.epoch, next: info.first };
      this.#store.input.log.warn({ stream: this.#stream, reason }, "stream position was lost");
      this.#options.onReset?.(info, reason);
      return true;
    }
    for (const message of messages) await this.#deliver(message);
    return messages.length > 0;
  }

  async #deliver(message: StreamMessage): Promise<void> {
    const { clock, log } = this.#store.input;
    for (let attempt = 1; !this.#stop.signal.aborted; attempt++) {
      try {
        await this.#handler({ ...message, attempt });
        if (this.#position) this.#position.next = message.seq + 1;
        return;
      } catch (error) {
        log.warn({ err: error, stream: this.#stream, seq: message.seq, attempt }, "message handler failed");
        await clock.sleep(redeliveryDelay(this.#store.tuning, attempt), this.#stop.signal).catch(() => {});
      }
    }
  }
}

function startOf(stream: string, start: ConsumeOptions["start"], info: StreamInfo): number {
  if (start === "all") return info.first;
  if (start === "new") return info.last + 1;
  if (start.seq >= info.first && start.seq <= info.last + 1) return start.seq;
  throw new StreamPositionLost(`${stream} contains ${info.first} to ${info.last}: it cannot be read from ${start.seq}`);
}
