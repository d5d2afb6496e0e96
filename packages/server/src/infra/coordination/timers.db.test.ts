import { expect, it } from "vitest";
import { dialectOf, queries } from "#core/db/queries.ts";
import type { Tx } from "#core/ports/database.ts";
import type { TimerHandler } from "#core/ports/leases.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import { describeDatabases } from "#testkit/database.ts";
import { recordingLog, silentLog } from "#testkit/silence.ts";
import { createTimerRunner, createTimers } from "./timers.ts";

const timers = createTimers();

/** Writes one row per firing, in the transaction of the timer. */
async function leaveTrace(tx: Tx, key: string): Promise<void> {
  await queries<InfrastructureTables>(tx)
    .insertInto("outbox_inbox")
    .values({ consumer: "timer", event_id: key, handled_at: 0 })
    .execute();
}

describeDatabases("timers", (get) => {
  const traces = async () => {
    const rows = await get().db.read("test.traces", (tx) =>
      queries<InfrastructureTables>(tx).selectFrom("outbox_inbox").select("event_id").orderBy("event_id").execute(),
    );
    return rows.map((row) => row.event_id);
  };
  const set = (key: string, inMs: number, payload: unknown = null) =>
    get().db.write("test.set", (tx) => timers.set(tx, { kind: "reminder", key, dueAt: get().clock.now() + inMs, payload }));
  const runner = (handlers: TimerHandler[], db = get().db) =>
    createTimerRunner({ db, clock: get().clock, log: silentLog, handlers });
  const tracing: TimerHandler = { kind: "reminder", fire: (tx, { key }) => leaveTrace(tx, key) };

  it("fires what is due, once, with its payload", async () => {
    const { clock, db } = get();
    const fired: unknown[] = [];
    const run = runner([{ kind: "reminder", fire: async (_tx, timer) => void fired.push(timer) }]);
    await set("a", 1_000, { text: "ä" });
    await set("b", 500);
    await db.write("test.cancel", (tx) => timers.cancel(tx, "reminder", "b"));
    expect(await run.runDue()).toBe(0);
    clock.step(1_000);
    expect(await run.runDue()).toBe(1);
    expect(await run.runDue()).toBe(0);
    expect(fired).toEqual([{ key: "a", dueAt: clock.now(), payload: { text: "ä" } }]);
  });

  it("is replaced when set again, and may set itself again while it fires", async () => {
    const { clock } = get();
    let fired = 0;
    const run = runner([
      {
        kind: "reminder",
        fire: async (tx, { key }) => {
          fired += 1;
          if (fired < 3) await timers.set(tx, { kind: "reminder", key, dueAt: clock.now() + 1_000, payload: null });
        },
      },
    ]);
    await set("a", 1_000);
    await set("a", 5_000);
    clock.step(4_999);
    expect(await run.runDue()).toBe(0);
    clock.step(1);
    expect(await run.runDue()).toBe(1);
    clock.step(1_000);
    expect(await run.runDue()).toBe(1);
    clock.step(1_000);
    expect(await run.runDue()).toBe(1);
    clock.step(1_000);
    expect(await run.runDue()).toBe(0);
  });

  it("rolls a failed effect back, retries later and does not block other timers", async () => {
    const { clock, db } = get();
    const log = recordingLog();
    let broken = true;
    const handler: TimerHandler = {
      kind: "reminder",
      async fire(tx, { key }) {
        await leaveTrace(tx, key);
        if (key === "bad" && broken) throw new Error("no");
      },
    };
    const run = createTimerRunner({ db, clock, log, handlers: [handler] });
    await set("bad", 0);
    await set("good", 0);
    expect(await run.runDue()).toBe(1);
    expect(await traces()).toEqual(["good"]);
    expect(log.lines).toMatchObject([{ level: "error", message: "a timer failed", fields: { key: "bad", attempts: 1 } }]);
    broken = false;
    expect(await run.runDue()).toBe(0);
    clock.step(1_000);
    expect(await run.runDue()).toBe(1);
    expect(await traces()).toEqual(["bad", "good"]);
  });

  it("ignores kinds without a handler", async () => {
    await set("a", 0);
    expect(await runner([{ kind: "other", fire: () => Promise.reject(new Error("unexpected")) }]).runDue()).toBe(0);
    expect(await runner([tracing]).runDue()).toBe(1);
  });

  it.each([false, true])("fires once although several processes check (disableLocking: %s)", async (disableLocking) => {
    const keys = Array.from({ length: 20 }, (_, at) => `k${String(at).padStart(2, "0")}`);
    await get().db.write("test.set", async (tx) => {
      for (const key of keys) await timers.set(tx, { kind: "reminder", key, dueAt: get().clock.now(), payload: null });
    });
    const runners = Array.from({ length: 3 }, () => runner([tracing], get().open({ disableLocking })));
    const counts: number[] = [];
    while ((await traces()).length < keys.length) counts.push(...(await Promise.all(runners.map((run) => run.runDue()))));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(keys.length);
    expect(await traces()).toEqual(keys);
  });

  it("wakes at a nudge, at the next due time and at the poll", async () => {
    const { clock, db } = get();
    const fired: string[] = [];
    let arrived = Promise.withResolvers<void>();
    const own = createTimers();
    const handler: TimerHandler = {
      kind: "reminder",
      fire: async (tx, { key }) => {
        tx.afterCommit(() => {
          fired.push(key);
          arrived.resolve();
        });
      },
    };
    const run = createTimerRunner({ db, clock, log: silentLog, handlers: [handler], pollMs: 1_000 });
    own.onSet(() => run.nudge());
    run.start();
    const setOwn = (key: string, inMs: number) =>
      db.write("test.set", (tx) => own.set(tx, { kind: "reminder", key, dueAt: clock.now() + inMs, payload: null }));
    await setOwn("now", 0);
    await arrived.promise;
    arrived = Promise.withResolvers();
    await setOwn("soon", 300);
    await idle();
    await clock.advance(300);
    await arrived.promise;
    arrived = Promise.withResolvers();
    await idle();
    await db.write("test.quiet", (tx) => timers.set(tx, { kind: "reminder", key: "quiet", dueAt: clock.now(), payload: null }));
    await clock.advance(1_000);
    await arrived.promise;
    expect(fired).toEqual(["now", "soon", "quiet"]);
    await run.stop();

    /** Waits until the runner sleeps again. */
    async function idle(): Promise<void> {
      while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it("keeps json text readable by the dialect", async () => {
    await set("a", 0, { on: true, off: null, n: 3, text: "x" });
    const row = await get().db.read("test.json", (tx) => {
      const json = (path: string) =>
        dialectOf(tx).jsonText(queries<InfrastructureTables>(tx).dynamic.ref("payload") as never, path);
      return queries<InfrastructureTables>(tx)
        .selectFrom("timers")
        .select([
          json("$.on").as("on"),
          json("$.off").as("off"),
          json("$.n").as("n"),
          json("$.text").as("text"),
          json("$.none").as("none"),
        ])
        .executeTakeFirst();
    });
    expect(row).toEqual({ on: "true", off: null, n: "3", text: "x", none: null });
  });
});
