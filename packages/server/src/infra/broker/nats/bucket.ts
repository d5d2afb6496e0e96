import { type JsMsg, StorageType } from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import { nanos } from "@nats-io/transport-node";
import {
  type Bucket,
  type BucketContent,
  type BucketEntry,
  BrokerUnavailable,
  maxMessageBytes,
  MessageTooLarge,
  RevisionConflict,
  type Subscription,
} from "#core/ports/index.ts";
import { checkName } from "../subjects.ts";
import { isTooFewServers } from "./errors.ts";
import { type Connected, type NatsLink, tooFewServers } from "./link.ts";
import { ephemeral, infoOf } from "./streams.ts";
import { Tail } from "./tail.ts";

type WatchHandler = (change: { key: string; value: Uint8Array | null; revision: number }) => void;

/** Keys may be any text; the server allows only some characters, and dots separate words of subjects. */
function encodeKey(key: string): string {
  if (key === "") throw new RangeError("a bucket key must not be empty");
  return Array.from(new TextEncoder().encode(key), (byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9_-]/.test(char) ? char : `=${byte.toString(16).padStart(2, "0")}`;
  }).join("");
}

function decodeKey(encoded: string): string {
  return decodeURIComponent(encoded.replaceAll("=", "%"));
}

export class NatsBucket implements Bucket {
  readonly #link: NatsLink;
  readonly #ownName: string;
  readonly #ttlMs: number | null;
  #opened: { nc: Connected["nc"]; kv: KV } | null = null;

  constructor(link: NatsLink, name: string, ttlMs: number | null) {
    this.#link = link;
    this.#ownName = checkName(name);
    this.#ttlMs = ttlMs;
  }

  get #name(): string {
    return this.#link.named(this.#ownName);
  }

  get #stream(): string {
    return `KV_${this.#name}`;
  }

  /**
   * Creates the bucket or updates its replicas and TTL. While the broker is down (`now` false) this is
   * done when it is up again, and until then each use fails.
   */
  async open(now: boolean): Promise<this> {
    const defined = this.#link.define(`bucket ${this.#ownName}`, (connected) => this.#ensure(connected));
    if (now) await defined;
    else await defined.catch(() => {});
    return this;
  }

  async #ensure({ nc, js, jsm }: Connected): Promise<void> {
    const { replicas } = this.#link.input;
    try {
      // Direct reads may come from a replica that lags, which would break compare-and-set.
      const options = { replicas, storage: StorageType.File, history: 1, allow_direct: false };
      this.#opened = {
        nc,
        kv: await new Kvm(js).create(this.#name, {
          ...options,
          ...(this.#ttlMs ? { ttl: this.#ttlMs } : {}),
        }),
      };
      const { config } = await jsm.streams.info(this.#stream);
      const max_age = nanos(this.#ttlMs ?? 0);
      if (config.num_replicas === replicas && config.max_age === max_age) return;
      const duplicate_window = max_age > 0 ? Math.min(max_age, nanos(120_000)) : nanos(120_000);
      await jsm.streams.update(this.#stream, {
        ...config,
        num_replicas: replicas,
        max_age,
        duplicate_window,
      });
    } catch (error) {
      throw isTooFewServers(error) ? tooFewServers(replicas, error) : error;
    }
  }

  #call<T>(work: (kv: KV, connected: Connected) => Promise<T>): Promise<T> {
    return this.#link.call(async (connected) => {
      if (this.#opened?.nc !== connected.nc) await this.#ensure(connected);
      if (!this.#opened) throw new Error("the bucket is not open");
      return work(this.#opened.kv, connected);
    });
  }

  async get(key: string): Promise<BucketEntry | null> {
    const entry = await this.#call((kv) => kv.get(encodeKey(key)));
    if (!entry || entry.operation !== "PUT") return null;
    return { key, value: entry.value, revision: entry.revision };
  }

  async put(key: string, value: Uint8Array): Promise<number> {
    checkSize(key, value);
    return this.#call((kv) => kv.put(encodeKey(key), value));
  }

  async create(key: string, value: Uint8Array): Promise<number> {
    checkSize(key, value);
    return this.#call((kv) => kv.create(encodeKey(key), value));
  }

  async update(key: string, value: Uint8Array, revision: number): Promise<number> {
    checkSize(key, value);
    // For the server zero means "must be absent", which is what `create` is for.
    if (!(revision > 0)) throw new RevisionConflict(`"${key}" cannot be at revision ${revision}`);
    return this.#call((kv) => kv.update(encodeKey(key), value, revision));
  }

  async delete(key: string): Promise<void> {
    await this.#call((kv) => kv.delete(encodeKey(key)));
  }

  async keys(): Promise<string[]> {
    return this.#call(async (kv) => {
      const found: string[] = [];
      for await (const key of await kv.keys()) found.push(decodeKey(key));
      return found;
    });
  }

  async entries(): Promise<BucketContent> {
    return this.#call(async (_kv, { js, jsm }) => {
      const { epoch } = infoOf(await jsm.streams.info(this.#stream));
      const consumer = ephemeral("lastPerSubject");
      const { num_pending: present } = await jsm.consumers.add(this.#stream, consumer);
      const found = new Map<string, BucketEntry>();
      let [received, left] = [0, present];
      if (present > 0) {
        const messages = await (
          await js.consumers.get(this.#stream, consumer.name)
        ).fetch({ max_messages: present, expires: 3000 });
        for await (const m of messages) {
          const key = keyOf(m, this.#name);
          if (isDeletion(m)) found.delete(key);
          else found.set(key, { key, value: m.data, revision: m.seq });
          [received, left] = [received + 1, m.info.pending];
          if (left === 0) break;
        }
      }
      // Keys that expired meanwhile are not delivered, and no longer pending.
      if (received < present && left > 0) left = (await jsm.consumers.info(this.#stream, consumer.name)).num_pending;
      jsm.consumers.delete(this.#stream, consumer.name).catch(() => {});
      if (received < present && left > 0) throw new BrokerUnavailable("the broker did not send a bucket in time");
      return { epoch, entries: [...found.values()] };
    });
  }

  async watch(handler: WatchHandler): Promise<Subscription> {
    const watcher = new Watcher(this, this.#link, () => this.#name, this.#ttlMs, handler);
    return watcher.open();
  }
}

function keyOf(m: JsMsg, bucket: string): string {
  return decodeKey(m.subject.slice(`$KV.${bucket}.`.length));
}

function isDeletion(m: JsMsg): boolean {
  const operation = m.headers?.get("KV-Operation");
  return operation === "DEL" || operation === "PURGE";
}

function checkSize(key: string, value: Uint8Array): void {
  if (value.byteLength > maxMessageBytes) {
    throw new MessageTooLarge(`a value of ${value.byteLength} bytes under "${key}": at most ${maxMessageBytes}`);
  }
}

/** Reads the bucket's stream. The server does not announce expired keys, so the watcher reports them itself. */
class Watcher implements Subscription {
  readonly #bucket: NatsBucket;
  readonly #link: NatsLink;
  readonly #name: () => string;
  readonly #ttlMs: number | null;
  readonly #handler: WatchHandler;
  readonly #tail: Tail;
  readonly #present = new Map<string, { revision: number; expiry: { cancel(): void } | null }>();

  constructor(bucket: NatsBucket, link: NatsLink, name: () => string, ttlMs: number | null, handler: WatchHandler) {
    this.#bucket = bucket;
    this.#link = link;
    this.#name = name;
    this.#ttlMs = ttlMs;
    this.#handler = handler;
    this.#tail = new Tail(link, { own: "bucket", name: () => `KV_${name()}` }, "lastPerSubject", {
      message: async (m) => this.#message(m),
      reset: () => void this.#reportMissing(),
    });
  }

  async open(): Promise<this> {
    await this.#tail.open();
    return this;
  }

  async close(): Promise<void> {
    await this.#tail.close();
    for (const { expiry } of this.#present.values()) expiry?.cancel();
    this.#present.clear();
  }

  #message(m: JsMsg): void {
    const key = keyOf(m, this.#name());
    if (isDeletion(m)) return this.#remove(key, m.seq);
    const known = this.#present.get(key);
    if (known && known.revision >= m.seq) return;
    known?.expiry?.cancel();
    const age = this.#link.input.clock.now() - Math.floor(m.info.timestampNanos / 1e6);
    const expiry = this.#ttlMs === null ? null : this.#expireIn(key, m.seq, Math.max(0, this.#ttlMs - age));
    this.#present.set(key, { revision: m.seq, expiry });
    this.#handler({ key, value: m.data, revision: m.seq });
  }

  #remove(key: string, revision: number): void {
    this.#present.get(key)?.expiry?.cancel();
    if (this.#present.delete(key)) this.#handler({ key, value: null, revision });
  }

  /** Checks with the server first, because clocks differ and the key may have been written again. */
  #expireIn(key: string, revision: number, ms: number): { cancel(): void } {
    return this.#link.input.clock.setTimeout(() => {
      this.#bucket.get(key).then(
        (entry) => {
          if (this.#present.get(key)?.revision !== revision || (entry && entry.revision !== revision)) return;
          if (entry) this.#checkLater(key, revision);
          else this.#remove(key, revision);
        },
        () => this.#checkLater(key, revision),
      );
    }, ms);
  }

  #checkLater(key: string, revision: number): void {
    const known = this.#present.get(key);
    if (known?.revision !== revision) return;
    this.#present.set(key, { revision, expiry: this.#expireIn(key, revision, 100) });
  }

  /** The bucket was created again: keys that it no longer contains are reported as deleted. */
  async #reportMissing(): Promise<void> {
    const before = [...this.#present];
    this.#present.clear();
    for (const [key, { revision, expiry }] of before) {
      expiry?.cancel();
      const entry = await this.#bucket.get(key).catch(() => null);
      if (!entry && !this.#present.has(key)) this.#handler({ key, value: null, revision });
    }
  }
}
