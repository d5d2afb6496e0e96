import type { Database } from "better-sqlite3";
import { BucketStore } from "./buckets.store.ts";
import { DurableStore } from "./durables.store.ts";
import type { OperationName, Reply, Request, StoreOperations, StoreSettings } from "./protocol.ts";
import { Refused } from "./refused.ts";
import { openFile } from "./schema.ts";
import { StreamStore } from "./streams.store.ts";

/** Operations that must be on the disk before the reply; others may be lost in a power failure and are repeated. */
const durable: ReadonlySet<OperationName> = new Set([
  "append",
  "put",
  "remove",
  "ensureStream",
  "dropStream",
  "openDurable",
  "openBucket",
]);
const readOnly: ReadonlySet<OperationName> = new Set(["streamInfo", "read", "get", "entries"]);

/** The embedded broker's file: executes batches of requests, each batch in one transaction. */
export class Store {
  readonly #db: Database;
  readonly #streams: StreamStore;
  readonly #operations: StoreOperations;
  #full: boolean | null = null;

  constructor(settings: StoreSettings) {
    this.#db = openFile(settings);
    const streams = (this.#streams = new StreamStore(this.#db));
    const durables = new DurableStore(this.#db, streams);
    const buckets = new BucketStore(this.#db);
    this.#operations = {
      ensureStream: (now, definition) => streams.ensure(now, definition),
      dropStream: (_now, stream) => streams.drop(stream),
      append: (now, subject, data, id) => streams.append(now, subject, data, id),
      streamInfo: (_now, stream) => streams.info(stream),
      read: (_now, stream, fromSeq, limit) => ({
        info: streams.info(stream),
        messages: streams.read(stream, fromSeq, limit),
      }),
      openDurable: (now, stream, durable, start) => durables.open(now, stream, durable, start),
      take: (now, stream, durable, limit) => durables.take(now, stream, durable, limit),
      ack: (_now, stream, durable, seq) => durables.ack(stream, durable, seq),
      nak: (_now, stream, durable, seq, due) => durables.nak(stream, durable, seq, due),
      openBucket: (now, bucket, ttlMs) => buckets.open(now, bucket, ttlMs),
      get: (now, bucket, key) => buckets.get(now, bucket, key),
      put: (now, bucket, key, value, expected) => buckets.put(now, bucket, key, value, expected),
      remove: (_now, bucket, key) => buckets.remove(bucket, key),
      entries: (now, bucket) => buckets.entries(now, bucket),
      expire: (now, bucket) => buckets.expire(now, bucket),
      sweep: (now) => streams.sweep(now),
    };
  }

  /** Returns one reply per request. A failure of the file rolls the batch back and is the reply to every request. */
  answer(requests: readonly Request[]): Reply[] {
    try {
      if (requests.every((r) => readOnly.has(r.name))) return requests.map((r) => this.#one(r));
      this.#synchronous(requests.some((r) => durable.has(r.name)));
      this.#db.exec("begin immediate");
      const replies = requests.map((r) => this.#one(r));
      this.#streams.flush();
      this.#db.exec("commit");
      return replies;
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec("rollback");
      this.#streams.reload();
      const message = `embedded broker file: ${(error as Error).message}`;
      return requests.map(() => ({ ok: false, kind: "failed", error: "other", message }));
    }
  }

  close(): void {
    this.#db.close();
  }

  #synchronous(full: boolean): void {
    if (full === this.#full) return;
    this.#db.pragma(`synchronous = ${full ? "FULL" : "NORMAL"}`);
    this.#full = full;
  }

  #one(request: Request): Reply {
    try {
      const operation = this.#operations[request.name] as (...args: unknown[]) => unknown;
      return { ok: true, value: operation(request.now, ...request.args) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { ok: false, kind: "refused", error: error.kind, message: error.message };
    }
  }
}
