import {
  type Bucket,
  type BucketContent,
  type BucketEntry,
  maxMessageBytes,
  MessageTooLarge,
  RevisionConflict,
  type Subscription,
} from "#core/ports/index.ts";
import type { StoreClient } from "./client.ts";

type WatchHandler = (change: { key: string; value: Uint8Array | null; revision: number }) => void;

export class EmbeddedBucket implements Bucket {
  readonly #store: StoreClient;
  readonly #name: string;
  readonly #ttlMs: number | null;
  readonly #watchers = new Set<WatchHandler>();
  #expiry: { at: number; timer: { cancel(): void } } | null = null;
  #opened = false;

  constructor(store: StoreClient, name: string, ttlMs: number | null) {
    this.#store = store;
    this.#name = name;
    this.#ttlMs = ttlMs;
  }

  async open(): Promise<this> {
    await this.#store.call("openBucket", this.#name, this.#ttlMs);
    this.#opened = true;
    if (this.#ttlMs !== null) await this.#expire();
    return this;
  }

  async #ready(): Promise<void> {
    if (!this.#opened) await this.open();
  }

  async get(key: string): Promise<BucketEntry | null> {
    await this.#ready();
    const found = await this.#store.call("get", this.#name, key);
    return found && { key, ...found };
  }

  put(key: string, value: Uint8Array): Promise<number> {
    return this.#write(key, value, null);
  }

  create(key: string, value: Uint8Array): Promise<number> {
    return this.#write(key, value, 0);
  }

  async update(key: string, value: Uint8Array, revision: number): Promise<number> {
    if (!(revision > 0)) throw new RevisionConflict(`"${key}" cannot be at revision ${revision}`);
    return this.#write(key, value, revision);
  }

  async #write(key: string, value: Uint8Array, expected: number | null): Promise<number> {
    if (key === "") throw new RangeError("a bucket key must not be empty");
    if (value.byteLength > maxMessageBytes) {
      throw new MessageTooLarge(`a value of ${value.byteLength} bytes under "${key}": at most ${maxMessageBytes}`);
    }
    await this.#ready();
    const revision = await this.#store.call("put", this.#name, key, value, expected);
    if (this.#ttlMs !== null) this.#expireAt(this.#store.input.clock.now() + this.#ttlMs);
    this.#notify({ key, value, revision });
    return revision;
  }

  async delete(key: string): Promise<void> {
    await this.#ready();
    const revision = await this.#store.call("remove", this.#name, key);
    if (revision !== null) this.#notify({ key, value: null, revision });
  }

  async keys(): Promise<string[]> {
    return (await this.entries()).entries.map((entry) => entry.key);
  }

  async entries(): Promise<BucketContent> {
    await this.#ready();
    return await this.#store.call("entries", this.#name);
  }

  async watch(handler: WatchHandler): Promise<Subscription> {
    await this.#ready();
    // The store answers in order: changes reported after this answer are not in it, all earlier ones are.
    const { entries: present } = await this.#store.call("entries", this.#name);
    const guarded: WatchHandler = (change) => {
      try {
        handler(change);
      } catch (error) {
        this.#store.input.log.error({ err: error, bucket: this.#name }, "watch handler failed");
      }
    };
    this.#watchers.add(guarded);
    for (const entry of present) guarded(entry);
    return { close: async () => void this.#watchers.delete(guarded) };
  }

  stop(): void {
    this.#expiry?.timer.cancel();
    this.#expiry = null;
    this.#watchers.clear();
  }

  #notify(change: { key: string; value: Uint8Array | null; revision: number }): void {
    for (const watcher of [...this.#watchers]) watcher(change);
  }

  #expireAt(at: number): void {
    if (this.#expiry && this.#expiry.at <= at) return;
    this.#expiry?.timer.cancel();
    const { clock, log } = this.#store.input;
    const timer = clock.setTimeout(
      () => {
        this.#expiry = null;
        this.#expire().catch((error) => log.warn({ err: error, bucket: this.#name }, "expired keys could not be deleted"));
      },
      Math.max(1, at - clock.now()),
    );
    this.#expiry = { at, timer };
  }

  async #expire(): Promise<void> {
    const { expired, next } = await this.#store.call("expire", this.#name);
    for (const { key, revision } of expired) this.#notify({ key, value: null, revision });
    if (next !== null) this.#expireAt(next);
  }
}
