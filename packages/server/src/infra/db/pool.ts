import { DatabaseUnavailable, PoolTimeout } from "#core/db/errors.ts";
import type { Clock } from "#core/ports/clock.ts";
import { Failure, publicError } from "./failure.ts";

export interface PoolLimits {
  /** 0 means no limit. */
  readonly maxOpen: number;
  readonly maxIdle: number;
  /** Milliseconds; 0 means no limit. */
  readonly maxIdleTimeMs: number;
  readonly maxLifetimeMs: number;
  /** How long `acquire` waits for a connection. */
  readonly waitLimitMs: number;
}

export interface Poolable {
  readonly usable: boolean;
  close(): Promise<void>;
  onLost(listener: () => void): void;
}

export interface PoolStats {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

interface Entry<C> {
  readonly connection: C;
  readonly openedAt: number;
  idleSince: number;
}

interface Waiter<C> {
  readonly number: number;
  resolve(connection: C): void;
  reject(error: Failure): void;
  readonly timer: { cancel(): void };
}

/**
 * A connection pool with four limits: open connections, idle connections, idle time and lifetime. Waiters
 * are served in order.
 */
export class ConnectionPool<C extends Poolable> {
  readonly #name: string;
  readonly #open: () => Promise<C>;
  readonly #limits: PoolLimits;
  readonly #clock: Clock;
  readonly #busy = new Map<C, Entry<C>>();
  readonly #waiters: Waiter<C>[] = [];
  #idle: Entry<C>[] = [];
  #opening = 0;
  #waited = 0;
  #closing = new Set<Promise<void>>();
  #closed: (() => void) | null = null;
  #isClosed = false;
  #reaper: { readonly at: number; cancel(): void } | null = null;

  constructor(name: string, open: () => Promise<C>, limits: PoolLimits, clock: Clock) {
    this.#name = name;
    this.#open = open;
    this.#limits = limits;
    this.#clock = clock;
  }

  stats(): PoolStats {
    return { open: this.#size(), idle: this.#idle.length, waiting: this.#waiters.length };
  }

  /** The most recently used idle connection, preferably one that `prefer` accepts, else a new one. */
  acquire(prefer?: (connection: C) => boolean): Promise<C> {
    if (this.#isClosed) return Promise.reject(new Failure("unreachable", new DatabaseUnavailable("the database was closed")));
    this.#reap();
    const entry = this.#takeIdle(prefer);
    if (entry) {
      this.#busy.set(entry.connection, entry);
      return Promise.resolve(entry.connection);
    }
    return new Promise<C>((resolve, reject) => {
      const timer = this.#clock.setTimeout(() => this.#expire(waiter), this.#limits.waitLimitMs);
      const waiter: Waiter<C> = { number: (this.#waited += 1), resolve, reject, timer };
      this.#waiters.push(waiter);
      this.#openForWaiters();
    });
  }

  release(connection: C): void {
    const entry = this.#busy.get(connection);
    if (!entry) return;
    this.#busy.delete(connection);
    if (this.#isClosed || !connection.usable || this.#isOld(entry)) {
      this.#discard(entry);
    } else if (this.#waiters.length > 0) {
      this.#hand(entry, this.#waiters.shift()!);
    } else if (this.#idle.length < this.#limits.maxIdle) {
      entry.idleSince = this.#clock.monotonic();
      this.#idle.push(entry);
      this.#scheduleReaper();
    } else {
      this.#discard(entry);
    }
    this.#openForWaiters();
  }

  /** Closes idle connections, after the server was lost. */
  dropIdle(): void {
    for (const entry of this.#idle.splice(0)) this.#discard(entry);
  }

  /** Refuses new work, waits for running work, closes everything. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#reaper?.cancel();
    for (const waiter of this.#waiters.splice(0)) {
      waiter.timer.cancel();
      waiter.reject(new Failure("unreachable", new DatabaseUnavailable("the database was closed")));
    }
    this.dropIdle();
    if (this.#busy.size + this.#opening > 0) await new Promise<void>((resolve) => (this.#closed = resolve));
    await Promise.all(this.#closing);
  }

  #size(): number {
    return this.#busy.size + this.#idle.length + this.#opening + this.#closing.size;
  }

  #takeIdle(prefer?: (connection: C) => boolean): Entry<C> | undefined {
    if (prefer) {
      const at = this.#idle.findLastIndex((entry) => prefer(entry.connection));
      if (at >= 0) return this.#idle.splice(at, 1)[0];
    }
    return this.#idle.pop();
  }

  #hand(entry: Entry<C>, waiter: Waiter<C>): void {
    waiter.timer.cancel();
    this.#busy.set(entry.connection, entry);
    waiter.resolve(entry.connection);
  }

  #expire(waiter: Waiter<C>): void {
    const at = this.#waiters.indexOf(waiter);
    if (at < 0) return;
    this.#waiters.splice(at, 1);
    const seconds = this.#limits.waitLimitMs / 1000;
    const text = `no ${this.#name} connection became free within ${seconds} s (${this.#size()} open); raise database.maxOpenConns`;
    waiter.reject(new Failure("unreachable", new PoolTimeout(text)));
  }

  #openForWaiters(): void {
    const { maxOpen } = this.#limits;
    while (this.#waiters.length > this.#opening && (maxOpen === 0 || this.#size() < maxOpen)) {
      this.#opening += 1;
      void this.#openOne();
    }
  }

  async #openOne(): Promise<void> {
    const last = this.#waited;
    try {
      const connection = await this.#open();
      this.#opening -= 1;
      this.#admit(connection);
    } catch (error) {
      this.#opening -= 1;
      // Who came later waits for a new attempt: this one may have failed because of an outage that is over.
      const waiter = (this.#waiters[0]?.number ?? Infinity) <= last ? this.#waiters.shift() : undefined;
      waiter?.timer.cancel();
      waiter?.reject(error instanceof Failure ? error : new Failure("unreachable", publicError(error) as Error));
      this.#openForWaiters();
      this.#settleClosed();
    }
  }

  #admit(connection: C): void {
    const now = this.#clock.monotonic();
    const entry: Entry<C> = { connection, openedAt: now, idleSince: now };
    connection.onLost(() => this.#lost(entry));
    this.#busy.set(connection, entry);
    const waiter = this.#isClosed ? undefined : this.#waiters.shift();
    if (waiter) this.#hand(entry, waiter);
    else this.release(connection);
  }

  #lost(entry: Entry<C>): void {
    if (this.#idle.includes(entry)) {
      this.#idle = this.#idle.filter((other) => other !== entry);
      this.#discard(entry);
    }
  }

  #discard(entry: Entry<C>): void {
    const closing = entry.connection.close().catch(() => undefined);
    this.#closing.add(closing);
    void closing.then(() => {
      this.#closing.delete(closing);
      this.#openForWaiters();
    });
    this.#settleClosed();
  }

  #settleClosed(): void {
    if (this.#isClosed && this.#busy.size + this.#opening === 0) this.#closed?.();
  }

  #isOld(entry: Entry<C>): boolean {
    const { maxLifetimeMs } = this.#limits;
    return maxLifetimeMs > 0 && this.#clock.monotonic() - entry.openedAt >= maxLifetimeMs;
  }

  #reap(): void {
    const { maxIdleTimeMs } = this.#limits;
    const now = this.#clock.monotonic();
    const kept: Entry<C>[] = [];
    for (const entry of this.#idle.splice(0)) {
      const tooIdle = maxIdleTimeMs > 0 && now - entry.idleSince >= maxIdleTimeMs;
      if (tooIdle || this.#isOld(entry) || !entry.connection.usable) this.#discard(entry);
      else kept.push(entry);
    }
    this.#idle = kept;
  }

  #dueAt(entry: Entry<C>): number {
    const { maxIdleTimeMs, maxLifetimeMs } = this.#limits;
    const idleEnd = maxIdleTimeMs > 0 ? entry.idleSince + maxIdleTimeMs : Infinity;
    const lifeEnd = maxLifetimeMs > 0 ? entry.openedAt + maxLifetimeMs : Infinity;
    return Math.min(idleEnd, lifeEnd);
  }

  #scheduleReaper(): void {
    const first = Math.min(...this.#idle.map((entry) => this.#dueAt(entry)));
    if (!Number.isFinite(first) || (this.#reaper && this.#reaper.at <= first)) return;
    this.#reaper?.cancel();
    const wait = Math.max(1, first - this.#clock.monotonic());
    const timer = this.#clock.setTimeout(() => {
      this.#reaper = null;
      this.#reap();
      this.#scheduleReaper();
    }, wait);
    this.#reaper = { at: first, cancel: () => timer.cancel() };
  }
}
