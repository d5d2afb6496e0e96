import type { Clock } from "./ports/clock.ts";
import { dropOldest } from "./recent.ts";

interface Entry<V> {
  readonly value: V;
  /** Monotonic milliseconds; before the load began. */
  readonly loadedAt: number;
}

interface CacheOptions {
  readonly clock: Pick<Clock, "monotonic">;
  /** How long a value is used without a reload when no event invalidated it. Milliseconds. */
  readonly ttlMs: number;
}

/**
 * One stored value, kept in this process. It is loaded again after `ttlMs`, or at once after
 * `invalidate`. Concurrent callers share one load.
 */
export class CachedValue<V> {
  readonly #options: CacheOptions & { readonly load: (previous: V | null) => Promise<V> };
  #entry: Entry<V> | null = null;
  #invalidations = 0;
  #invalidatedAt = Number.NEGATIVE_INFINITY;
  #loading: { readonly value: Promise<V>; readonly invalidations: number } | null = null;

  /** `load` gets the previous value, and may return it when nothing changed. */
  constructor(options: CacheOptions & { readonly load: (previous: V | null) => Promise<V> }) {
    this.#options = options;
  }

  /** The value of the last load, however old; null before the first one. */
  get last(): V | null {
    return this.#entry?.value ?? null;
  }

  /** The value when it needs no reload, else null. */
  get fresh(): V | null {
    const { clock, ttlMs } = this.#options;
    return this.#entry !== null && clock.monotonic() - this.#entry.loadedAt < ttlMs ? this.#entry.value : null;
  }

  /** A value loaded after the last invalidation before the call. */
  async get(): Promise<V> {
    for (;;) {
      const value = this.fresh;
      if (value !== null) return value;
      this.#loading ??= {
        invalidations: this.#invalidations,
        value: this.reload().finally(() => (this.#loading = null)),
      };
      const { value: loading, invalidations } = this.#loading;
      if (invalidations !== this.#invalidations) {
        // It began before the last invalidation, so neither its value nor its error is an answer.
        await Promise.allSettled([loading]);
        continue;
      }
      const loaded = await loading;
      if (invalidations === this.#invalidations) return loaded;
    }
  }

  /**
   * The same for a caller that loads it itself, in a snapshot that began at `began` (monotonic milliseconds).
   * Concurrent callers share nothing. What a snapshot from before the last invalidation holds is not cached.
   */
  async getBy(began: number, load: () => Promise<V>): Promise<V> {
    return this.fresh ?? (began > this.#invalidatedAt ? await this.reload(load) : await load());
  }

  async reload(load = this.#options.load): Promise<V> {
    const { clock } = this.#options;
    const invalidations = this.#invalidations;
    const startedAt = clock.monotonic();
    const value = await load(this.last);
    // A change during the load may be missing from it, so the next call loads again.
    this.#entry = { value, loadedAt: invalidations === this.#invalidations ? startedAt : Number.NEGATIVE_INFINITY };
    return value;
  }

  /** The next `get` loads. The last value stays available as `last`. */
  invalidate(): void {
    this.#invalidations += 1;
    this.#invalidatedAt = this.#options.clock.monotonic();
    if (this.#entry !== null) this.#entry = { ...this.#entry, loadedAt: Number.NEGATIVE_INFINITY };
  }
}

/** Loads by key: callers that ask for a key while it is loaded share that load. */
export class SharedLoads<K, V> {
  readonly #running = new Map<K, { readonly value: Promise<V> }>();

  /** `isCurrent` tells the load whether it was dropped meanwhile. */
  async get(key: K, load: (isCurrent: () => boolean) => Promise<V>): Promise<V> {
    const running = this.#running.get(key);
    if (running !== undefined) return await running.value;
    let own: { readonly value: Promise<V> } | null = null;
    const isCurrent = () => this.#running.get(key) === own;
    const value = load(isCurrent).finally(() => {
      if (isCurrent()) this.#running.delete(key);
    });
    own = { value };
    this.#running.set(key, own);
    return await value;
  }

  /** Who asks from now on starts a load of its own. */
  drop(key: K): void {
    this.#running.delete(key);
  }

  dropAll(): void {
    this.#running.clear();
  }
}

/**
 * Stored values by key, kept in this process. Each is loaded again after `ttlMs`, or at once after
 * its key was invalidated. With more than `max` keys the ones loaded longest ago are dropped.
 */
export class CachedMap<K, V> {
  readonly #options: CacheOptions & { readonly max: number };
  readonly #entries = new Map<K, Entry<V>>();
  readonly #loads = new SharedLoads<K, V>();
  /** The keys of each load of several that have not been invalidated since it began. */
  readonly #loading = new Set<Set<K>>();

  constructor(options: CacheOptions & { readonly max: number }) {
    this.#options = options;
  }

  /** Undefined when the key has to be loaded. */
  fresh(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    return this.#options.clock.monotonic() - entry.loadedAt < this.#options.ttlMs ? entry.value : undefined;
  }

  /** The value that was loaded last, however old. */
  last(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Stores a value that the caller has already, as if it were loaded now. */
  set(key: K, value: V): void {
    this.#put(key, { value, loadedAt: this.#options.clock.monotonic() });
  }

  /** The value of a key. Concurrent callers share one load; it is kept unless the key was invalidated meanwhile. */
  async get(key: K, load: () => Promise<V>): Promise<V> {
    const known = this.fresh(key);
    if (known !== undefined) return known;
    return await this.#loads.get(key, async (isCurrent) => {
      const loadedAt = this.#options.clock.monotonic();
      const value = await load();
      if (isCurrent()) this.#put(key, { value, loadedAt });
      return value;
    });
  }

  /**
   * The values of many keys; `load` gets those that are missing, and answers with a value for each. What was
   * invalidated meanwhile is not kept.
   */
  async getAll(keys: readonly K[], load: (missing: readonly K[]) => Promise<ReadonlyMap<K, V>>): Promise<Map<K, V>> {
    const found = new Map<K, V>();
    const missing = new Set<K>();
    for (const key of keys) {
      const known = this.fresh(key);
      if (known === undefined) missing.add(key);
      else found.set(key, known);
    }
    if (missing.size === 0) return found;
    const loadedAt = this.#options.clock.monotonic();
    const current = new Set(missing);
    this.#loading.add(current);
    try {
      for (const [key, value] of await load([...missing])) {
        found.set(key, value);
        if (current.has(key)) this.#put(key, { value, loadedAt });
      }
    } finally {
      this.#loading.delete(current);
    }
    return found;
  }

  invalidate(key: K): void {
    this.#loads.drop(key);
    for (const current of this.#loading) current.delete(key);
    this.#entries.delete(key);
  }

  /** Invalidates the keys whose value matches. */
  invalidateWhere(matches: (value: V, key: K) => boolean): void {
    // What is being loaded may match as well.
    this.#loads.dropAll();
    for (const current of this.#loading) current.clear();
    for (const [key, { value }] of this.#entries) if (matches(value, key)) this.#entries.delete(key);
  }

  invalidateAll(): void {
    this.#loads.dropAll();
    for (const current of this.#loading) current.clear();
    this.#entries.clear();
  }

  #put(key: K, entry: Entry<V>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    dropOldest(this.#entries, this.#options.max);
  }
}
