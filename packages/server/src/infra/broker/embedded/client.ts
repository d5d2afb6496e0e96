import { Worker } from "node:worker_threads";
import { assertOutsideUnitOfWork } from "#core/db/index.ts";
import { BrokerUnavailable, RevisionConflict, StreamPositionLost } from "#core/ports/index.ts";
import type { BrokerUrl } from "#core/dsn.ts";
import { type BrokerInput, type BrokerTuning, defaultTuning } from "../options.ts";
import { StateHolder } from "../state.ts";
import type {
  FromWorker,
  OperationArguments,
  OperationName,
  OperationResult,
  Reply,
  Request,
  StoreSettings,
} from "./protocol.ts";

export type EmbeddedInput = BrokerInput<Extract<BrokerUrl, { kind: "embedded" }>>;

interface Waiting extends Request {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Client of the store's thread. Requests made while a batch is running form the next one: a group
 * commit, so that many writers share one write to the disk.
 */
export class StoreClient {
  readonly input: EmbeddedInput;
  readonly tuning: BrokerTuning;
  readonly state: StateHolder;
  #worker: Worker | null = null;
  #queue: Waiting[] = [];
  #inFlight: Waiting[] = [];
  #closed = false;
  readonly #stop = new AbortController();

  constructor(input: EmbeddedInput) {
    this.input = input;
    this.tuning = { ...defaultTuning, ...input.tuning };
    this.state = new StateHolder(input.clock, input.log, { up: false, reason: "opening" });
  }

  /** Throws `BrokerUnavailable` when another process serves the file, or it cannot be opened. */
  async open(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settings: StoreSettings = {
      file: this.input.url.file,
      pid: process.pid,
      now: this.input.clock.now(),
    };
    const worker = new Worker(new URL("./store.worker.ts", import.meta.url), {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    worker.on("message", (message: FromWorker) => {
      if (message.kind === "ready") resolve();
      else if (message.kind === "unusable") reject(new BrokerUnavailable(message.message));
      else this.#onReplies(message.replies);
    });
    worker.on("error", (error) => reject(new BrokerUnavailable(`embedded broker: ${error.message}`, { cause: error })));
    worker.on("exit", () => {
      reject(new BrokerUnavailable("embedded broker: its thread ended"));
      if (this.#worker === worker) this.#lost();
    });
    await promise;
    this.#worker = worker;
    this.state.set(true, null);
    this.#send();
  }

  async call<N extends OperationName>(name: N, ...args: OperationArguments<N>): Promise<OperationResult<N>> {
    assertOutsideUnitOfWork("use the broker");
    if (this.#closed || !this.#worker) {
      throw new BrokerUnavailable(`the broker is down: ${this.state.current.reason}`);
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#queue.push({ name, now: this.input.clock.now(), args, resolve, reject });
    if (this.#queue.length === 1) queueMicrotask(() => this.#send());
    return promise as Promise<OperationResult<N>>;
  }

  #send(): void {
    if (!this.#worker || this.#inFlight.length > 0 || this.#queue.length === 0) return;
    this.#inFlight = this.#queue.splice(0, 2000);
    this.#worker.postMessage(this.#inFlight.map(({ name, now, args }) => ({ name, now, args })));
  }

  #onReplies(replies: readonly Reply[]): void {
    const requests = this.#inFlight;
    this.#inFlight = [];
    // The next batch is written while these answers are handled.
    this.#send();
    const failed = replies.find((r) => !r.ok && r.kind === "failed");
    if (failed && !failed.ok) this.state.set(false, failed.message);
    else if (!this.#closed) this.state.set(true, null);
    requests.forEach((request, i) => {
      const reply = replies[i];
      if (reply?.ok) request.resolve(reply.value);
      else request.reject(errorOf(reply));
    });
  }

  #lost(): void {
    this.#worker = null;
    this.state.set(false, this.#closed ? "closed" : "the broker's thread ended");
    const requests = [...this.#inFlight, ...this.#queue];
    this.#inFlight = [];
    this.#queue = [];
    for (const request of requests) request.reject(new BrokerUnavailable("the broker's thread ended"));
    if (!this.#closed) void this.#reopen();
  }

  /** Retries until the file is open. */
  async #reopen(): Promise<void> {
    while (!this.#closed && !this.#worker) {
      try {
        await this.input.clock.sleep(this.tuning.reconnectMs, this.#stop.signal);
        await this.open();
      } catch (error) {
        if (!this.#closed) this.state.set(false, (error as Error).message);
      }
    }
  }

  /** Opens in the background, with retries. */
  openInBackground(): void {
    void this.open().catch((error: Error) => {
      this.state.set(false, error.message);
      return this.#reopen();
    });
  }

  /** Finishes all requests, then closes the file. */
  async close(): Promise<void> {
    if (this.#closed) return;
    while (this.#inFlight.length > 0 || this.#queue.length > 0) {
      const last = this.#queue.at(-1) ?? this.#inFlight.at(-1);
      if (!last || !this.#worker) break;
      await new Promise<void>((done) => {
        const { resolve, reject } = last;
        last.resolve = (value) => (resolve(value), done());
        last.reject = (error) => (reject(error), done());
      });
    }
    this.#closed = true;
    this.#stop.abort();
    const worker = this.#worker;
    if (!worker) return;
    await new Promise<void>((done) => {
      worker.once("exit", () => done());
      worker.postMessage("close");
    });
  }
}

function errorOf(reply: Reply | undefined): Error {
  if (!reply || reply.ok) return new BrokerUnavailable("the broker did not answer");
  if (reply.kind === "failed") return new BrokerUnavailable(reply.message);
  if (reply.error === "conflict") return new RevisionConflict(reply.message);
  if (reply.error === "position") return new StreamPositionLost(reply.message);
  return new Error(reply.message);
}
