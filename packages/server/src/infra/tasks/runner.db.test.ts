import { afterEach, describe, expect, it } from "vitest";
import { queries } from "#core/db/index.ts";
import { applyTask, type Database, runTask } from "#core/ports/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import { watchDatabase } from "#testkit/idle.ts";
import { releaseMemory } from "#infra/memory.ts";
import type { TaskTables } from "./tasks.schema.ts";
import { scheduleTask } from "../schedules/schedules.ts";
import { call, copy, follow, leaveTrace, remind, TasksFixture } from "./tasks.testkit.ts";

const tracing = applyTask({ task: remind, apply: async (tx, { payload }) => await leaveTrace(tx, payload.name) });

describeDatabases("worker tasks", (get) => {
  const fixture = new TasksFixture(get);
  afterEach(async () => await fixture.close());
  const enqueue = async (name: string) =>
    await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, remind, { payload: { name } }));
  const isEmpty = async () => (await fixture.rows()).length === 0;

  describe.each([false, true])("of several workers (disableLocking: %s)", (disableLocking) => {
    const open = () => get().open({ disableLocking });

    it("are applied once each", async () => {
      const names = Array.from({ length: 120 }, (_, i) => `n${String(i).padStart(3, "0")}`);
      for (let i = 0; i < 3; i += 1) fixture.runner([tracing], { db: open() });
      await fixture.write(
        async (tx) =>
          await fixture.tasks.enqueueAll(
            tx,
            remind,
            names.map((name) => ({ payload: { name } })),
          ),
      );
      expect(await fixture.advanceUntil(isEmpty)).toBe(true);
      expect(await fixture.traces()).toEqual(names);
      expect(await fixture.dead()).toEqual([]);
    });

    it("run one at a time and in order by their order key", async () => {
      const done: string[] = [];
      const running = new Map<string, number>();
      let overlaps = 0;
      const ordered = runTask({
        task: follow,
        async run({ payload: { name }, attempt }) {
          const key = name.split("/")[0]!;
          running.set(key, (running.get(key) ?? 0) + 1);
          if (running.get(key)! > 1) overlaps += 1;
          await new Promise((resolve) => setImmediate(resolve));
          running.set(key, running.get(key)! - 1);
          if (name.endsWith("/3") && attempt === 1) throw new Error("again");
          done.push(name);
        },
      });
      const names = Array.from({ length: 40 }, (_, i) => `k${i % 4}/${Math.floor(i / 4)}`);
      await fixture.write(
        async (tx) =>
          await fixture.tasks.enqueueAll(
            tx,
            follow,
            names.map((name) => ({ payload: { name } })),
          ),
      );
      for (let i = 0; i < 3; i += 1) fixture.runner([ordered], { db: open() });
      expect(await fixture.advanceUntil(isEmpty)).toBe(true);
      expect(overlaps).toBe(0);
      for (let key = 0; key < 4; key += 1) {
        const ofKey = done.filter((name) => name.startsWith(`k${key}/`));
        expect(ofKey).toEqual(Array.from({ length: 10 }, (_, i) => `k${key}/${i}`));
      }
    });
  });

  it("leave nothing in memory when they are done", async () => {
    let result = null as WeakRef<object> | null;
    const remembered = runTask({
      task: call,
      async run() {
        const made = { size: 1 };
        result = new WeakRef(made);
        return made;
      },
      store: async () => undefined,
    });
    fixture.runner([remembered]);
    await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, call, { payload: { name: "once" } }));
    await fixture.until(async () => result !== null && (await isEmpty()));
    await fixture.idle();
    releaseMemory();
    expect(result!.deref()).toBe(undefined);
  });

  it("of a kind that no worker knows wait, and cause no write", async () => {
    const opened = get().open();
    const writes: string[] = [];
    const write: Database["write"] = async (name, work) => {
      writes.push(name);
      return await opened.write(name, work);
    };
    await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, follow, { payload: { name: "k/1" } }));
    await fixture.write(
      async (tx) => await queries<TaskTables>(tx).updateTable("worker_tasks").set({ kind: "gone.kind" }).execute(),
    );
    fixture.runner([applyTask({ task: follow, apply: async (tx, { payload }) => await leaveTrace(tx, payload.name) }), tracing], {
      db: { ...watchDatabase(opened), write },
    });
    await fixture.advanceUntil(() => false, 5000);
    expect(writes.filter((name) => name === "tasks.claim")).toEqual([]);
    await enqueue("known");
    expect(await fixture.advanceUntil(async () => (await fixture.traces()).length === 1)).toBe(true);
    expect(writes.filter((name) => name === "tasks.claim")).not.toEqual([]);
    expect(await fixture.rows()).toMatchObject([{ kind: "gone.kind", attempts: 0, fence: 0 }]);
  });

  describe("of a worker with a bad connection", () => {
    it("are tried again when their failure could not be stored, also while the worker goes on", async () => {
      const opened = get().open();
      let broken = false;
      const db: Database = {
        ...watchDatabase(opened),
        async write(name, work) {
          if (name !== "tasks.postpone" || broken) return await opened.write(name, work);
          broken = true;
          throw new Error("the connection broke");
        },
      };
      const hold = Promise.withResolvers<void>();
      const tried: number[] = [];
      const failing = runTask({
        task: call,
        async run({ payload, attempt }) {
          if (payload.name === "long") return await hold.promise;
          tried.push(attempt);
          if (attempt === 1) throw new Error("again");
        },
      });
      fixture.runner([failing], { db });
      for (const name of ["long", "short"])
        await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, call, { payload: { name } }));
      expect(await fixture.advanceUntil(() => tried.length === 2, 60_000)).toBe(true);
      hold.resolve();
      await fixture.until(isEmpty);
      expect(tried).toEqual([1, 2]);
    });

    it("are not forgotten when they are claimed while leases are renewed", async () => {
      const opened = get().open();
      const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const db: Database = {
        ...watchDatabase(opened),
        async write(name, work) {
          const result = await opened.write(name, work);
          if (name === "tasks.renew") {
            asked.resolve();
            await answer.promise;
          }
          return result;
        },
      };
      const hold = Promise.withResolvers<void>();
      let begun = 0;
      const holding = runTask({
        task: remind,
        async run() {
          begun += 1;
          await hold.promise;
        },
      });
      fixture.runner([holding], { db });
      await enqueue("first");
      await fixture.until(() => begun === 1);
      await get().clock.advance(3000);
      await asked.promise;
      for (let i = 0; i < 12; i += 1) await enqueue(`${i}`);
      // More are claimed than have a slot.
      await fixture.until(async () => (await fixture.rows()).every(({ state }) => state === "running"));
      await fixture.until(() => begun === 8);
      answer.resolve();
      await get().clock.advance(0);
      hold.resolve();
      expect(await fixture.advanceUntil(isEmpty, 2000)).toBe(true);
    });
  });

  describe("of a worker that is gone", () => {
    it("are claimed by another one after the lease, and the late effect is refused", async () => {
      const frozen = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const results: string[] = [];
      const store = async (tx: Parameters<typeof leaveTrace>[0], _task: unknown, result: string) => {
        results.push(result);
        await leaveTrace(tx, "stored");
      };
      const opened = get().open();
      let held = Promise.resolve();
      const firstDb: Database = {
        ...watchDatabase(opened),
        read: async (name, work) => await held.then(async () => await opened.read(name, work)),
        write: async (name, work) => await held.then(async () => await opened.write(name, work)),
      };
      fixture.runner(
        [
          runTask({
            task: call,
            async run() {
              held = frozen.promise;
              begun.resolve();
              await frozen.promise;
              return "first";
            },
            store,
          }),
        ],
        { db: firstDb },
      );
      const id = await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, call, { payload: { name: "a" } }));
      await begun.promise;
      // The first process is frozen: its clock stands still, and it renews nothing.
      get().clock.step(20_000);
      const seen: string[] = [];
      fixture.runner([
        runTask({
          task: call,
          run: async (task) => {
            seen.push(`${task.id} ${task.attempt}`);
            return "second";
          },
          store,
        }),
      ]);
      await fixture.until(isEmpty);
      expect(seen).toEqual([`${id} 2`]);
      frozen.resolve();
      await fixture.until(() => fixture.log.lines.some(({ message }) => message === "an attempt of a task was given up"));
      expect(results).toEqual(["second"]);
      expect(await fixture.traces()).toEqual(["stored"]);
    });

    it("run where their kind runs now, if they were stored by a version with another lane or role", async () => {
      await enqueue("moved");
      await fixture.write(
        async (tx) => await queries<TaskTables>(tx).updateTable("worker_tasks").set({ lane: "bulk", role: "bot" }).execute(),
      );
      fixture.runner([tracing]);
      expect(await fixture.advanceUntil(isEmpty)).toBe(true);
      expect(await fixture.traces()).toEqual(["moved"]);
    });

    it("of schedules do not wait for what people started", async () => {
      const blocked = Promise.withResolvers<void>();
      const ran: string[] = [];
      fixture.runner([
        runTask({ task: copy, run: async () => await blocked.promise, store: async () => undefined }),
        applyTask({ task: scheduleTask("people.clean"), apply: async () => void ran.push("cleaned") }),
      ]);
      await fixture.write(async (tx) => {
        for (const name of ["a", "b", "c"]) await fixture.tasks.enqueue(tx, copy, { payload: { name } });
      });
      await fixture.until(async () => (await fixture.rows()).filter(({ state }) => state === "running").length === 2);
      await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, scheduleTask("people.clean"), { payload: {} }));
      expect(await fixture.advanceUntil(() => ran.length === 1, 5000)).toBe(true);
      blocked.resolve();
      await fixture.advanceUntil(isEmpty);
    });

    it("are dead when their workers end too often while they run", async () => {
      await enqueue("poison");
      await fixture.write(async (tx) => {
        const lost = { state: "running", owner: "dead", attempts: 3, fence: 3, lease_until: get().clock.now() - 1 };
        await queries<TaskTables>(tx).updateTable("worker_tasks").set(lost).execute();
      });
      fixture.runner([tracing]);
      await fixture.until(isEmpty);
      expect((await fixture.dead())[0]?.error).toBe("TaskFailedForGood: its worker ended while it ran, 3 times");
      expect(await fixture.traces()).toEqual([]);
    });
  });
});
