import { expect, it } from "vitest";
import { type Lease, LeaseLost } from "#core/ports/leases.ts";
import { queries } from "#core/db/queries.ts";
import { leaveUnitOfWork } from "#core/db/unit-of-work.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import { createTestClock } from "#testkit/clock.ts";
import { describeDatabases, type TestDatabase } from "#testkit/database.ts";
import { silentLog } from "#testkit/silence.ts";
import { keepLease } from "./keep.ts";
import { createLeases } from "./leases.ts";

const ttl = 30_000;

describeDatabases("leases", (get) => {
  /** Like a separate process, with its own monotonic clock; the database's clock is `get().clock`. */
  const process = (disableLocking = false, base: TestDatabase = get()) => {
    const clock = createTestClock();
    const db = base.open({ disableLocking });
    return { clock, db, leases: createLeases({ db, clock, ids: base.ids, disableLocking }) };
  };

  it("grants a name to one owner at a time, with a growing token", async () => {
    const [a, b] = [process(), process()];
    const first = await a.leases.acquire("bot", ttl);
    expect(first?.token).toBe(1);
    expect(await b.leases.acquire("bot", ttl)).toBeNull();
    expect(await a.leases.acquire("bot", ttl)).toBeNull();
    await first!.release();
    expect(first!.signal.reason).toBeInstanceOf(LeaseLost);
    const second = await b.leases.acquire("bot", ttl);
    expect(second?.token).toBe(2);
    get().clock.step(ttl);
    expect((await a.leases.acquire("bot", ttl))?.token).toBe(3);
  });

  it("lets exactly one of many acquire it", async () => {
    const many = Array.from({ length: 4 }, () => process());
    const results = await Promise.all(many.flatMap(({ leases }) => [leases.acquire("race", ttl), leases.acquire("race", ttl)]));
    expect(results.filter((lease) => lease !== null)).toHaveLength(1);
  });

  it("is extended by renew, by the database's clock", async () => {
    const [a, b] = [process(), process()];
    const lease = (await a.leases.acquire("cron", ttl))!;
    get().clock.step(ttl - 1);
    expect(await lease.renew()).toBe(true);
    get().clock.step(ttl - 1);
    expect(await b.leases.acquire("cron", ttl)).toBeNull();
    get().clock.step(1);
    expect(await lease.renew()).toBe(false);
    expect(lease.signal.aborted).toBe(true);
  });

  it("expires by the owner's own clock when it cannot be renewed", async () => {
    const a = process();
    const lease = (await a.leases.acquire("cron", ttl))!;
    await a.clock.advance(ttl - 1);
    expect(lease.signal.aborted).toBe(false);
    await a.clock.advance(1);
    expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
    expect(await lease.renew()).toBe(false);
  });

  it("is renewed by keepLease until stopped", async () => {
    const a = process();
    const lease = (await a.leases.acquire("cron", ttl))!;
    const renewals: boolean[] = [];
    const renewed = Promise.withResolvers<void>();
    const watched = {
      ...lease,
      name: lease.name,
      signal: lease.signal,
      renew: async () => {
        renewals.push(await lease.renew());
        renewed.resolve();
        return renewals.at(-1)!;
      },
    };
    const keeper = keepLease(watched, { ttlMs: ttl, clock: a.clock, log: silentLog });
    get().clock.step(ttl / 3);
    await a.clock.advance(ttl / 3);
    await renewed.promise;
    expect(renewals).toEqual([true]);
    keeper.stop();
    await a.clock.advance(ttl);
    expect(lease.signal.aborted).toBe(true);
    expect(renewals).toEqual([true]);
  });

  it.each([false, true])("refuses the write of an owner that was paused (disableLocking: %s)", async (disableLocking) => {
    const [a, b] = [process(disableLocking), process(disableLocking)];
    const lease = (await a.leases.acquire("sync", ttl))!;
    const write = (db: typeof a.db, under: Lease, version: number) =>
      db.write("test.leased", async (tx) => {
        await under.guard(tx);
        await queries<InfrastructureTables>(tx).deleteFrom("outbox_inbox").execute();
        await queries<InfrastructureTables>(tx)
          .insertInto("outbox_inbox")
          .values({ consumer: "c", event_id: String(version), handled_at: version })
          .execute();
      });
    await write(a.db, lease, 1);
    get().clock.step(ttl);
    // It has expired although no other owner acquired it.
    await expect(write(a.db, lease, 2)).rejects.toThrow(LeaseLost);
    expect(lease.signal.aborted).toBe(true);
    const next = (await b.leases.acquire("sync", ttl))!;
    await write(b.db, next, 3);
    await expect(write(a.db, lease, 4)).rejects.toThrow(LeaseLost);
    const rows = await b.db.read("test.rows", (tx) =>
      queries<InfrastructureTables>(tx).selectFrom("outbox_inbox").select("handled_at").execute(),
    );
    expect(rows).toEqual([{ handled_at: 3 }]);
  });

  it("is not taken over while its owner is in a guarded unit of work", async () => {
    const [a, b] = [process(), process()];
    const lease = (await a.leases.acquire("sync", ttl))!;
    const taken = await a.db.write("test.leased", async (tx) => {
      await lease.guard(tx);
      get().clock.step(ttl);
      // SQLite has one writer: there the other waits for the end of this unit of work.
      if (get().kind === "sqlite") return null;
      return await runElsewhere(() => b.leases.acquire("sync", ttl));
    });
    expect(taken).toBeNull();
    expect((await b.leases.acquire("sync", ttl))?.token).toBe(2);
  });
});

/** Runs `work` as another process would: outside this test's unit of work. */
function runElsewhere<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => leaveUnitOfWork(() => void work().then(resolve, reject)));
}
