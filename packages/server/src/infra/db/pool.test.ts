import { describe, expect, it } from "vitest";
import { PoolTimeout } from "#core/db/errors.ts";
import { createTestClock } from "#testkit/clock.ts";
import { ConnectionPool, type PoolLimits } from "./pool.ts";

class Fake {
  usable = true;
  closed = false;
  lose: () => void = () => undefined;
  close(): Promise<void> {
    this.closed = true;
    this.usable = false;
    return Promise.resolve();
  }
  onLost(listener: () => void): void {
    this.lose = () => {
      this.usable = false;
      listener();
    };
  }
}

function setUp(limits: Partial<PoolLimits> = {}) {
  const clock = createTestClock();
  const opened: Fake[] = [];
  const failures: Error[] = [];
  const open = async () => {
    const failure = failures.shift();
    if (failure) throw failure;
    const fake = new Fake();
    opened.push(fake);
    return fake;
  };
  const all = {
    maxOpen: 3,
    maxIdle: 2,
    maxIdleTimeMs: 10_000,
    maxLifetimeMs: 60_000,
    waitLimitMs: 5_000,
    ...limits,
  };
  const pool = new ConnectionPool<Fake>("test", open, all, clock);
  return { clock, opened, failures, pool, live: () => opened.filter((fake) => !fake.closed).length };
}

describe("connection pool", () => {
  it("opens at most maxOpen and serves waiters in order", async () => {
    const { pool, opened } = setUp();
    const first = await Promise.all([pool.acquire(), pool.acquire(), pool.acquire()]);
    const order: number[] = [];
    const waiting = [1, 2].map((n) => pool.acquire().then((connection) => (order.push(n), connection)));
    expect(pool.stats()).toEqual({ open: 3, idle: 0, waiting: 2 });
    pool.release(first[1]);
    pool.release(first[0]);
    expect(await Promise.all(waiting)).toEqual([first[1], first[0]]);
    expect(order).toEqual([1, 2]);
    expect(opened).toHaveLength(3);
  });

  it("has no limit with maxOpen 0", async () => {
    const { pool, opened } = setUp({ maxOpen: 0 });
    await Promise.all(Array.from({ length: 40 }, () => pool.acquire()));
    expect(opened).toHaveLength(40);
  });

  it("keeps at most maxIdle, and none with 0", async () => {
    for (const [maxIdle, kept] of [
      [2, 2],
      [0, 0],
    ] as const) {
      const { pool, live } = setUp({ maxIdle });
      const all = await Promise.all([pool.acquire(), pool.acquire(), pool.acquire()]);
      for (const connection of all) pool.release(connection);
      expect(live()).toBe(kept);
      expect(pool.stats().idle).toBe(kept);
    }
  });

  it("closes connections that were idle too long, also when maxIdle equals maxOpen", async () => {
    const { pool, clock, live } = setUp({ maxIdle: 3 });
    const all = await Promise.all([pool.acquire(), pool.acquire()]);
    pool.release(all[0]);
    await clock.advance(6_000);
    pool.release(all[1]);
    await clock.advance(4_000);
    expect(live()).toBe(1);
    await clock.advance(6_000);
    expect(live()).toBe(0);
    expect(clock.waiting).toBe(0);
  });

  it("closes a connection after maxLifetime, when idle or at its next release", async () => {
    const { pool, clock, opened } = setUp({ maxIdleTimeMs: 0 });
    const [idle, busy] = await Promise.all([pool.acquire(), pool.acquire()]);
    pool.release(idle);
    await clock.advance(60_000);
    expect([idle.closed, busy.closed]).toEqual([true, false]);
    pool.release(busy);
    expect(busy.closed).toBe(true);
    await pool.acquire();
    expect(opened).toHaveLength(3);
  });

  it("fails after the wait limit, with the option in the message", async () => {
    const { pool, clock } = setUp({ maxOpen: 1 });
    await pool.acquire();
    const late = pool.acquire().catch((error: { seen: Error }) => error.seen);
    await clock.advance(5_000);
    const error = await late;
    expect(error).toBeInstanceOf(PoolTimeout);
    expect((error as Error).message).toContain("database.maxOpenConns");
    expect(pool.stats().waiting).toBe(0);
  });

  it("drops broken connections and opens new ones for waiters", async () => {
    const { pool, opened } = setUp({ maxOpen: 1 });
    const broken = await pool.acquire();
    const next = pool.acquire();
    broken.usable = false;
    pool.release(broken);
    expect(await next).toBe(opened[1]);
    pool.release(opened[1]!);
    opened[1]!.lose();
    expect(pool.stats()).toMatchObject({ idle: 0 });
    expect(await pool.acquire()).toBe(opened[2]);
  });

  it("rejects a waiter when opening fails, and tries again for the next", async () => {
    const { pool, failures } = setUp({ maxOpen: 1 });
    failures.push(new Error("refused"));
    const [first, second] = await Promise.allSettled([pool.acquire(), pool.acquire()]);
    expect(first).toMatchObject({ status: "rejected" });
    expect(second).toMatchObject({ status: "fulfilled" });
  });

  it("rejects no waiter that came after the failed attempt to open began: it may belong to an earlier outage", async () => {
    const clock = createTestClock();
    const attempts: PromiseWithResolvers<Fake>[] = [];
    const open = async () => {
      const attempt = Promise.withResolvers<Fake>();
      attempts.push(attempt);
      return await attempt.promise;
    };
    const limits = { maxOpen: 2, maxIdle: 2, maxIdleTimeMs: 0, maxLifetimeMs: 0, waitLimitMs: 5_000 };
    const pool = new ConnectionPool<Fake>("test", open, limits, clock);
    const [first, second] = [pool.acquire(), pool.acquire()];
    attempts[0]!.resolve(new Fake());
    pool.release(await first);
    const lost = await second;
    lost.usable = false;
    pool.release(lost);
    const later = pool.acquire();
    attempts[1]!.reject(new Error("the server closed the connection"));
    await expect.poll(() => attempts.length).toBe(3);
    const fresh = new Fake();
    attempts[2]!.resolve(fresh);
    expect(await later).toBe(fresh);
  });

  it("closes after running work, and refuses new work", async () => {
    const { pool, live } = setUp({ maxOpen: 1 });
    const busy = await pool.acquire();
    const waiting = pool.acquire().catch(() => "refused");
    let closed = false;
    const closing = pool.close().then(() => (closed = true));
    expect(await waiting).toBe("refused");
    await expect(pool.acquire()).rejects.toThrow("closed");
    expect(closed).toBe(false);
    pool.release(busy);
    await closing;
    expect(live()).toBe(0);
  });
});
