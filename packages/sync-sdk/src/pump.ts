import { randomBytes } from "node:crypto";
import { isPermanent, isTransient, SyncError, toSyncError } from "./errors.ts";
import type { DiskQueue } from "./queue.ts";
import type { Batch, Delivery } from "./delivery.ts";
import { splitBatch } from "./records.ts";
import type { QueuedRecord } from "./segment.ts";
import { addResult, nothingSent, type SendResult } from "./results.ts";
import { backOff, closedError, type RetryContext } from "./retry.ts";

/** A caller that waits for the first attempt to deliver what it sent. */
interface Waiter {
  /** Offset of each open record in what the caller passed. */
  readonly offsets: Map<number, number>;
  readonly total: number;
  sum: SendResult;
  resolve(result: SendResult): void;
  reject(error: SyncError): void;
}

interface Flush {
  failures: number;
  resolve(): void;
  reject(error: SyncError): void;
}

/** Delivers the queue in order, and retries until everything is delivered. */
export class Pump {
  readonly #queue: DiskQueue;
  readonly #delivery: Delivery;
  readonly #context: RetryContext;
  readonly #waiters = new Map<number, Waiter>();
  #flushes: Flush[] = [];
  #failures = 0;
  #running: Promise<void> | null = null;
  #pause: AbortController | null = null;
  /** That nothing can be written to the disk was reported, and nothing was written since. */
  #isUnavailable = false;
  /** The last call that was sent without the queue. */
  #direct: Promise<unknown> = Promise.resolve();
  /** Records may have been added while the pump was about to stop. */
  #again = false;

  constructor(queue: DiskQueue, delivery: Delivery, context: RetryContext) {
    this.#queue = queue;
    this.#delivery = delivery;
    this.#context = context;
    if (queue.waiting > 0) this.#wake();
    context.signal.addEventListener("abort", () => this.#pause?.abort());
  }

  /**
   * Resolves with the result when the server answers at once, else as soon as the items are safe on
   * disk. Throws `SyncError`, with `queued` when the items will still be sent.
   */
  async send(batch: Batch): Promise<SendResult> {
    if (batch.items.length === 0) return nothingSent;
    const { records, offsets, unfit } = splitBatch(batch, this.#delivery.knownLimits);
    if (records.length === 0) return unfit;
    let queued: QueuedRecord[];
    try {
      queued = await this.#queue.append(records);
      this.#isUnavailable = false;
    } catch (thrown) {
      if (!(thrown instanceof SyncError) || thrown.code !== "queue.unavailable") throw thrown;
      return await this.#sendDirectly(batch, thrown);
    }
    const total = batch.items.length - unfit.rejected.length;
    if (this.#failures > 0 || this.#context.signal.aborted) return { ...unfit, queued: total };
    return await new Promise((resolve, reject) => {
      const byRecord = new Map(queued.map((record, i) => [record.seq, offsets[i] ?? 0]));
      const waiter: Waiter = { offsets: byRecord, total, sum: unfit, resolve, reject };
      for (const record of queued) this.#waiters.set(record.seq, waiter);
      this.#wake();
    });
  }

  /** The disk takes nothing. What waits on it has to go first, so this is only for when nothing does. */
  async #sendDirectly(batch: Batch, error: SyncError): Promise<SendResult> {
    if (!this.#isUnavailable) this.#context.emit({ type: "queueUnavailable", error });
    this.#isUnavailable = true;
    if (this.#queue.waiting > 0) throw error;
    const run = this.#direct.then(
      async () => await this.#delivery.send({ ...batch, name: randomBytes(16).toString("hex") }, this.#context),
    );
    this.#direct = run.catch(() => undefined);
    return await run;
  }

  /** Resolves once everything was delivered; rejects after as many failures as a call is tried. */
  async flush(): Promise<void> {
    if (this.#queue.waiting === 0 && this.#running === null) return;
    // The pump's pauses do not keep the process alive; a caller that waits for the delivery does.
    const alive = setInterval(() => undefined, 2 ** 30);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#flushes.push({ failures: 0, resolve, reject });
        this.#pause?.abort();
        this.#wake();
      });
    } finally {
      clearInterval(alive);
    }
  }

  async stop(): Promise<void> {
    this.#pause?.abort();
    await this.#running;
    this.#settleQueued();
    this.#endFlushes(closedError());
  }

  #wake(): void {
    this.#again = true;
    if (this.#context.signal.aborted || this.#running !== null) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (this.#again) this.#wake();
    });
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#context.signal.aborted) {
      this.#again = false;
      while (!this.#context.signal.aborted) {
        try {
          const record = await this.#queue.next();
          if (record === null) break;
          await this.#deliver(record);
        } catch (thrown) {
          await this.#failed(thrown instanceof SyncError ? thrown : diskError(thrown));
        }
      }
      if (!this.#context.signal.aborted) this.#endFlushes(null);
    }
  }

  async #deliver(record: QueuedRecord): Promise<void> {
    const once = { ...this.#context, retry: { ...this.#context.retry, attempts: 1 } };
    const result = await this.#delivery
      .send({ ...record, name: `${this.#queue.id} ${record.seq}` }, once)
      .catch((thrown: unknown) => toSyncError(thrown));
    if (result instanceof SyncError) {
      if (!isPermanent(result)) throw result;
      await this.#drop(record, result);
      return;
    }
    await this.#queue.advance(record);
    this.#recovered();
    this.#report(record, result);
    this.#settle(record, result);
  }

  #report(record: QueuedRecord, { accepted, unchanged, rejected, late = 0 }: SendResult): void {
    const { operation, items } = record;
    this.#context.emit({
      type: "delivered",
      operation,
      items: items.length,
      accepted,
      unchanged,
      waiting: this.#queue.waiting,
    });
    if (rejected.length > 0) this.#context.emit({ type: "rejected", operation, rejected });
    if (late > 0) this.#context.emit({ type: "late", events: late });
  }

  #recovered(): void {
    if (this.#failures > 0) this.#context.emit({ type: "online" });
    this.#failures = 0;
    for (const flush of this.#flushes) flush.failures = 0;
  }

  #settle(record: QueuedRecord, result: SendResult): void {
    const waiter = this.#waiters.get(record.seq);
    if (waiter === undefined) return;
    this.#waiters.delete(record.seq);
    waiter.sum = addResult(waiter.sum, { ...result, rejected: [...result.rejected] }, waiter.offsets.get(record.seq) ?? 0);
    waiter.offsets.delete(record.seq);
    if (waiter.offsets.size === 0)
      waiter.resolve({ ...waiter.sum, rejected: [...waiter.sum.rejected].sort((a, b) => a.index - b.index) });
  }

  async #drop(record: QueuedRecord, error: SyncError): Promise<void> {
    await this.#queue.advance(record);
    this.#context.emit({ type: "dropped", operation: record.operation, items: record.items, error });
    const waiter = this.#waiters.get(record.seq);
    if (waiter === undefined) return;
    for (const seq of waiter.offsets.keys()) this.#waiters.delete(seq);
    error.partial = waiter.sum;
    waiter.reject(error);
  }

  async #failed(error: SyncError): Promise<void> {
    if (this.#context.signal.aborted) return;
    this.#failures += 1;
    const waiting = this.#queue.waiting;
    const transient = isTransient(error);
    if (this.#failures === 1) this.#context.emit({ type: transient ? "offline" : "blocked", waiting, error });
    if (transient) this.#settleQueued();
    else this.#refuseWaiters(error);
    this.#countFlushes(error, transient);
    const delayMs = backOff(this.#failures, error, this.#context.retry, this.#context.timing);
    this.#context.emit({ type: "retry", attempt: this.#failures, delayMs, error });
    this.#pause = new AbortController();
    await this.#context.timing.sleep(delayMs, this.#pause.signal, true);
    this.#pause = null;
  }

  #openWaiters(): Waiter[] {
    const open = [...new Set(this.#waiters.values())];
    this.#waiters.clear();
    return open;
  }

  #settleQueued(): void {
    for (const waiter of this.#openWaiters()) {
      const { accepted, unchanged, rejected } = waiter.sum;
      waiter.resolve({
        ...waiter.sum,
        queued: Math.max(0, waiter.total - accepted - unchanged - rejected.length),
      });
    }
  }

  #refuseWaiters(error: SyncError): void {
    for (const waiter of this.#openWaiters()) {
      const { message, status, code, traceId, params, retryAfterMs } = error;
      const refusal = new SyncError(message, { status, code, traceId, params, retryAfterMs, cause: error });
      refusal.queued = true;
      refusal.partial = waiter.sum;
      waiter.reject(refusal);
    }
  }

  #countFlushes(error: SyncError, transient: boolean): void {
    const ended = this.#flushes.filter((flush) => ++flush.failures >= this.#context.retry.attempts || !transient);
    this.#flushes = this.#flushes.filter((flush) => !ended.includes(flush));
    for (const flush of ended) flush.reject(error);
  }

  #endFlushes(error: SyncError | null): void {
    const flushes = this.#flushes;
    this.#flushes = [];
    for (const flush of flushes) {
      if (error === null) flush.resolve();
      else flush.reject(error);
    }
  }
}

function diskError(thrown: unknown): SyncError {
  return new SyncError(`the queue cannot be read: ${(thrown as Error).message}`, {
    code: "queue.unavailable",
    cause: thrown,
  });
}
