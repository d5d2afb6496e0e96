import { Worker } from "node:worker_threads";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import type { Clock } from "#core/ports/clock.ts";
import { Failure } from "../../failure.ts";
import type { WorkerAnswer, WorkerReply, WorkerRequest, WorkerSetup } from "./protocol.ts";
import { failureOf } from "./errors.ts";

interface Pending {
  readonly sentAt: number;
  resolve(answer: WorkerAnswer): void;
  reject(error: Failure): void;
}

type RequestBody = WorkerRequest extends infer R ? (R extends WorkerRequest ? Omit<R, "id"> : never) : never;

/** A worker thread with SQLite connections. Starts at the first request, and again after a crash. */
export class SqliteThread {
  readonly #setup: WorkerSetup;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #pending = new Map<number, Pending>();
  readonly #lostListeners = new Set<() => void>();
  #worker: Worker | null = null;
  #answered = false;
  #nextId = 0;
  #nextConnection = 0;

  constructor(name: string, setup: WorkerSetup, clock: Clock) {
    this.#name = name;
    this.#setup = setup;
    this.#clock = clock;
  }

  get running(): boolean {
    return this.#worker !== null;
  }

  /** Number of pending requests. */
  get waiting(): number {
    return this.#pending.size;
  }

  /** Milliseconds that the oldest pending request has waited; 0 while the thread starts. */
  behind(): number {
    const [oldest] = this.#pending.values();
    return oldest && this.#answered ? this.#clock.monotonic() - oldest.sentAt : 0;
  }

  nextConnection(): number {
    return (this.#nextConnection += 1);
  }

  /** Calls `listener` when the thread dies, which loses its connections. */
  onLost(listener: () => void): () => void {
    this.#lostListeners.add(listener);
    return () => this.#lostListeners.delete(listener);
  }

  start(): void {
    this.#worker ??= this.#create();
  }

  request(body: RequestBody): Promise<WorkerAnswer> {
    const worker = (this.#worker ??= this.#create());
    const id = (this.#nextId += 1);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { sentAt: this.#clock.monotonic(), resolve, reject });
      worker.postMessage({ ...body, id }, []);
    });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  /** For tests: ends the thread as in a crash. */
  crash(): void {
    void this.#worker?.terminate();
  }

  #create(): Worker {
    this.#answered = false;
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      name: this.#name,
      workerData: this.#setup,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    worker.on("message", (reply: WorkerReply) => this.#settle(reply));
    worker.on("error", (error) => this.#fail(worker, error instanceof Error ? error.message : String(error)));
    worker.on("exit", (code) => this.#fail(worker, `the thread ended with code ${code}`));
    return worker;
  }

  #settle(reply: WorkerReply): void {
    this.#answered = true;
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (!pending) return;
    if ("error" in reply) pending.reject(failureOf(reply.error, this.#setup));
    else pending.resolve(reply);
  }

  #fail(worker: Worker, reason: string): void {
    if (this.#worker !== worker && this.#worker !== null) return;
    this.#worker = null;
    const failure = new Failure("lost", new DatabaseUnavailable(`the SQLite ${this.#setup.role} stopped: ${reason}`));
    for (const pending of this.#pending.values()) pending.reject(failure);
    this.#pending.clear();
    for (const listener of this.#lostListeners) listener();
  }
}
