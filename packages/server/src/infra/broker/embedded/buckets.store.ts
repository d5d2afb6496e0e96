import type { Database, Statement } from "better-sqlite3";
import type { BucketContent, BucketEntry } from "#core/ports/index.ts";
import { Refused } from "./refused.ts";

/** Key-value buckets in the file. Revisions are numbered per bucket. */
export class BucketStore {
  readonly #db: Database;
  readonly #bucket: Statement;
  readonly #next: Statement;
  readonly #get: Statement;
  readonly #put: Statement;
  readonly #remove: Statement;
  readonly #entries: Statement;
  readonly #expired: Statement;
  readonly #nextExpiry: Statement;
  readonly #epoch: Statement;

  constructor(db: Database) {
    this.#db = db;
    const alive = "(expires is null or expires > ?)";
    this.#bucket = db.prepare("select ttl from buckets where name = ?");
    this.#next = db.prepare("update buckets set revision = revision + 1 where name = ? returning revision").pluck();
    this.#get = db.prepare(`select value, revision from entries where bucket = ? and key = ? and ${alive}`);
    this.#put = db.prepare("insert or replace into entries (bucket, key, revision, value, expires) values (?, ?, ?, ?, ?)");
    this.#remove = db.prepare("delete from entries where bucket = ? and key = ?");
    this.#entries = db.prepare(`select key, value, revision from entries where bucket = ? and ${alive} order by revision`);
    this.#expired = db.prepare("delete from entries where bucket = ? and expires <= ? returning key, revision");
    this.#nextExpiry = db.prepare("select min(expires) from entries where bucket = ?").pluck();
    // Buckets live as long as their file.
    this.#epoch = db.prepare("select value from meta where name = 'identity'").pluck();
  }

  open(now: number, bucket: string, ttlMs: number | null): void {
    const known = this.#bucket.get(bucket) as { ttl: number | null } | undefined;
    if (!known) this.#db.prepare("insert into buckets (name, ttl, revision) values (?, ?, 0)").run(bucket, ttlMs);
    if (!known || known.ttl === ttlMs) return;
    this.#db.prepare("update buckets set ttl = ? where name = ?").run(ttlMs, bucket);
    this.#db.prepare("update entries set expires = ? where bucket = ?").run(ttlMs === null ? null : now + ttlMs, bucket);
  }

  get(now: number, bucket: string, key: string): { value: Uint8Array; revision: number } | null {
    return (this.#get.get(bucket, key, now) as { value: Uint8Array; revision: number } | undefined) ?? null;
  }

  put(now: number, bucket: string, key: string, value: Uint8Array, expected: number | null): number {
    if (expected !== null) {
      const at = this.get(now, bucket, key)?.revision ?? 0;
      if (at !== expected) throw new Refused("conflict", `"${key}" changed since it was read`);
    }
    const known = this.#bucket.get(bucket) as { ttl: number | null } | undefined;
    if (!known) throw new Refused("other", `there is no bucket ${bucket}`);
    const revision = this.#next.get(bucket) as number;
    this.#put.run(bucket, key, revision, value, known.ttl === null ? null : now + known.ttl);
    return revision;
  }

  remove(bucket: string, key: string): number | null {
    if (this.#remove.run(bucket, key).changes === 0) return null;
    return this.#next.get(bucket) as number;
  }

  entries(now: number, bucket: string): BucketContent {
    return { epoch: this.#epoch.get() as string, entries: this.#entries.all(bucket, now) as BucketEntry[] };
  }

  expire(now: number, bucket: string): { expired: Array<{ key: string; revision: number }>; next: number | null } {
    const expired = this.#expired.all(bucket, now) as Array<{ key: string; revision: number }>;
    return { expired, next: this.#nextExpiry.get(bucket) as number | null };
  }
}
