import { afterEach, describe, expect, it } from "vitest";
import { queries } from "#core/db/index.ts";
import { applyTask, type RunningTask, runTask, TaskFailedForGood, TaskLost, TryLater } from "#core/ports/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import type { TaskTables } from "./tasks.schema.ts";
import { call, copy, leaveTrace, remind, TasksFixture } from "./tasks.testkit.ts";

const tracing = applyTask({ task: remind, apply: async (tx, { payload }) => await leaveTrace(tx, payload.name) });

describeDatabases("worker tasks", (get) => {
  const fixture = new TasksFixture(get);
  afterEach(async () => await fixture.close());
  const enqueue = async (name: string, options: { dueAt?: number; key?: string } = {}) =>
    await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, remind, { payload: { name }, ...options }));
  const isEmpty = async () => (await fixture.rows()).length === 0;

  it("are applied once, with their payload, and end in the transaction of their effect", async () => {
    const seen: RunningTask[] = [];
    fixture.runner([
      applyTask({
        task: remind,
        async apply(tx, task) {
          seen.push(task);
          await leaveTrace(tx, task.payload.name);
        },
      }),
    ]);
    const id = await enqueue("ä");
    await fixture.until(isEmpty);
    expect(seen).toEqual([{ id, payload: { name: "ä" }, dueAt: expect.any(Number), attempt: 1 }]);
    expect(await fixture.traces()).toEqual(["ä"]);
  });

  it("are not enqueued when the change is rolled back", async () => {
    const failing = fixture.write(async (tx) => {
      await fixture.tasks.enqueue(tx, remind, { payload: { name: "a" } });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await fixture.rows()).toEqual([]);
  });

  it("wait until they are due by the database's clock", async () => {
    const { clock } = get();
    fixture.runner([tracing]);
    await enqueue("later", { dueAt: clock.now() + 5000 });
    expect(await fixture.advanceUntil(isEmpty, 4500)).toBe(false);
    expect(await fixture.advanceUntil(isEmpty, 2000)).toBe(true);
  });

  it("are enqueued in any number with few statements, and found by a runner of another process", async () => {
    const names = Array.from({ length: 1200 }, (_, i) => ({ payload: { name: `n${i}` } }));
    const count = await get().statements.during(
      async () => await fixture.write(async (tx) => await fixture.tasks.enqueueAll(tx, remind, names)),
    );
    expect(count).toBeLessThanOrEqual(4);
    expect(await fixture.rows()).toHaveLength(1200);
    fixture.runner([applyTask({ task: remind, apply: async () => {} })]);
    await fixture.advanceUntil(isEmpty);
    expect(await fixture.rows()).toEqual([]);
  });

  it("refuse a payload that is not as defined", async () => {
    const bad = fixture.write(async (tx) => await fixture.tasks.enqueue(tx, remind, { payload: { name: 7 } as never }));
    await expect(bad).rejects.toThrow(/the payload of people.remind is not valid: \/name/);
  });

  describe("with a key", () => {
    it("replace the one that waits, and can be cancelled", async () => {
      const { clock } = get();
      const first = await enqueue("old", { key: "k", dueAt: clock.now() + 1000 });
      const second = await enqueue("new", { key: "k", dueAt: clock.now() + 2000 });
      await enqueue("other", { key: "l", dueAt: clock.now() + 2000 });
      expect(second).not.toBe(first);
      expect((await fixture.rows()).map(({ task_id, payload }) => [task_id, payload])).toEqual([
        [second, '{"name":"new"}'],
        [expect.any(String), '{"name":"other"}'],
      ]);
      const cancel = async (key: string) => await fixture.write(async (tx) => await fixture.tasks.cancel(tx, remind, key));
      expect([await cancel("l"), await cancel("l")]).toEqual([true, false]);
      fixture.runner([tracing]);
      await fixture.advanceUntil(isEmpty);
      expect(await fixture.traces()).toEqual(["new"]);
    });

    it("replace one that runs: its result is not stored", async () => {
      const started = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      const ran: string[] = [];
      const handler = runTask({
        task: call,
        async run({ payload }) {
          ran.push(payload.name);
          if (payload.name === "old") {
            started.resolve();
            await go.promise;
          }
          return payload.name;
        },
        store: async (tx, _task, result) => await leaveTrace(tx, result),
      });
      fixture.runner([handler]);
      const put = async (name: string) =>
        await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, call, { payload: { name }, key: "k" }));
      await put("old");
      await started.promise;
      await put("new");
      go.resolve();
      await fixture.until(isEmpty);
      expect(ran).toEqual(["old", "new"]);
      expect(await fixture.traces()).toEqual(["new"]);
    });

    it("may enqueue themselves again", async () => {
      const { clock } = get();
      let left = 3;
      fixture.runner([
        applyTask({
          task: remind,
          async apply(tx, { payload }) {
            await leaveTrace(tx, `${left}`);
            left -= 1;
            if (left > 0) await fixture.tasks.enqueue(tx, remind, { payload, key: "k", dueAt: clock.now() + 1000 });
          },
        }),
      ]);
      await enqueue("a", { key: "k" });
      await fixture.advanceUntil(isEmpty);
      expect(await fixture.traces()).toEqual(["1", "2", "3"]);
    });
  });

  describe("that fail", () => {
    it("are rolled back, tried again with growing delays, and dead after the last attempt; others go on", async () => {
      const { clock } = get();
      fixture.runner([
        applyTask({
          task: remind,
          async apply(tx, { payload }) {
            await leaveTrace(tx, payload.name);
            if (payload.name === "bad") throw new RangeError("no luck");
          },
        }),
      ]);
      await enqueue("bad");
      await enqueue("good");
      await fixture.until(async () => (await fixture.traces()).includes("good"));
      for (const [attempts, delayMs] of [
        [1, 1000],
        [2, 2000],
      ] as const) {
        const failed = async () => (await fixture.rows())[0]!;
        let asked = clock.now();
        await fixture.advanceUntil(async () => {
          const row = await failed();
          if (row.attempts < attempts) asked = clock.now();
          return row.attempts === attempts && row.state === "waiting";
        });
        expect((await failed()).due_at).toBeGreaterThanOrEqual(asked + delayMs);
        expect((await failed()).due_at).toBeLessThanOrEqual(clock.now() + delayMs);
      }
      await fixture.advanceUntil(isEmpty);
      expect(await fixture.traces()).toEqual(["good"]);
      expect(await fixture.dead()).toMatchObject([{ kind: "people.remind", attempts: 3, error: "RangeError: no luck" }]);
      expect(fixture.log.lines.map(({ level }) => level)).toEqual(["warn", "warn", "error"]);
    });

    it("are dead at once when another attempt would fail too, and try later when they are told when", async () => {
      const { clock } = get();
      const tried: string[] = [];
      fixture.runner([
        applyTask({
          task: remind,
          async apply(_tx, { payload: { name }, attempt }) {
            tried.push(`${name} ${attempt}`);
            if (name === "never") throw new TaskFailedForGood("the person is gone");
            if (tried.filter((one) => one.startsWith("limited")).length < 6) throw new TryLater(7000, "asked to wait");
          },
        }),
      ]);
      await enqueue("never");
      await enqueue("limited");
      await fixture.until(() => tried.length === 2);
      await fixture.until(async () => (await fixture.dead()).length === 1);
      const asked = clock.now();
      await fixture.advanceUntil(isEmpty);
      // Three attempts would be too few, if one that only has to wait counted.
      expect(tried.toSorted()).toEqual([...Array.from({ length: 6 }, () => "limited 1"), "never 1"]);
      expect(clock.now() - asked).toBeGreaterThanOrEqual(5 * 7000);
      expect((await fixture.dead()).map(({ error }) => error)).toEqual(["TaskFailedForGood: the person is gone"]);
    });

    it("are dead when they are told to wait for longer than a day", async () => {
      fixture.runner([
        applyTask({
          task: remind,
          async apply() {
            throw new TryLater(3_600_000, "asked to wait");
          },
        }),
      ]);
      await enqueue("never");
      const { clock } = get();
      const end = clock.now() + 40 * 3_600_000;
      while ((await fixture.dead()).length === 0 && clock.now() < end) {
        await fixture.idle();
        // A step that is longer than a lease must not fall between a claim and the end of its attempt.
        const isBusy = (await fixture.rows()).some((row) => row.state === "running" || row.due_at <= clock.now());
        await clock.advance(isBusy ? 500 : 600_000);
      }
      expect((await fixture.dead())[0]?.error).toBe("TryLater: asked to wait");
    });

    it("can be sent again with their id, or discarded", async () => {
      let broken = true;
      const ids: string[] = [];
      fixture.runner([
        applyTask({
          task: remind,
          async apply(tx, { id, payload }) {
            ids.push(id);
            if (broken) throw new TaskFailedForGood("broken");
            await leaveTrace(tx, payload.name);
          },
        }),
      ]);
      const id = await enqueue("a", { key: "k" });
      await enqueue("b");
      await fixture.until(async () => (await fixture.dead()).length === 2);
      broken = false;
      const stored = await fixture.dead();
      const [a, b] = [stored.find(({ taskId }) => taskId === id), stored.find(({ taskId }) => taskId !== id)];
      const change = async (how: "resend" | "discard", one: number) =>
        await fixture.write(async (tx) => await fixture.tasks[how](tx, one));
      expect(await get().db.read("test", async (tx) => await fixture.tasks.status(tx, id))).toMatchObject({ state: "dead" });
      expect([await change("resend", a!.id), await change("resend", a!.id)]).toEqual([true, false]);
      expect([await change("discard", b!.id), await change("discard", b!.id)]).toEqual([true, false]);
      await fixture.until(isEmpty);
      expect(await fixture.traces()).toEqual(["a"]);
      expect(ids.filter((one) => one === id)).toHaveLength(2);
      expect(await fixture.dead()).toEqual([]);
    });

    it("stay dead when one of their key waits by the time they are sent again", async () => {
      fixture.runner([
        applyTask({
          task: remind,
          async apply() {
            throw new TaskFailedForGood("broken");
          },
        }),
      ]);
      await enqueue("a", { key: "k" });
      await fixture.until(async () => (await fixture.dead()).length === 1);
      const before = await fixture.dead();
      await enqueue("b", { key: "k", dueAt: get().clock.now() + 60_000 });
      expect(await fixture.write(async (tx) => await fixture.tasks.resend(tx, before[0]!.id))).toBe(false);
      expect(await fixture.dead()).toEqual(before);
    });

    it("with a stored payload that no longer fits are dead, and say why", async () => {
      await enqueue("a");
      await fixture.write(async (tx) => {
        await queries<TaskTables>(tx).updateTable("worker_tasks").set({ payload: '{"name":5}' }).execute();
      });
      fixture.runner([tracing]);
      await fixture.until(isEmpty);
      expect((await fixture.dead())[0]?.error).toMatch(/the payload of people.remind is not valid: \/name/);
    });
  });

  it("that hang fail after their time limit, whether they observe their signal or not", async () => {
    const aborted: string[] = [];
    fixture.runner([
      applyTask({ task: { ...remind, timeoutMs: 2000 }, apply: async () => await new Promise(() => {}) }),
      runTask({
        task: { ...call, timeoutMs: 2000 },
        async run({ payload }, signal) {
          signal.addEventListener("abort", () => aborted.push(payload.name));
          await new Promise(() => {});
        },
      }),
    ]);
    await enqueue("a");
    await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, call, { payload: { name: "b" } }));
    expect(await fixture.advanceUntil(isEmpty)).toBe(true);
    expect((await fixture.dead()).map(({ error }) => error)).toEqual([
      expect.stringContaining("it took longer than 2 s"),
      expect.stringContaining("it took longer than 2 s"),
    ]);
    expect(aborted).toEqual(["b", "b", "b"]);
  });

  it("of one lane do not wait for those of another", async () => {
    const hold = Promise.withResolvers<void>();
    let copies = 0;
    fixture.runner([
      tracing,
      runTask({
        task: copy,
        async run() {
          copies += 1;
          await hold.promise;
        },
      }),
    ]);
    for (let i = 0; i < 5; i += 1)
      await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, copy, { payload: { name: `${i}` } }));
    await fixture.until(() => copies === 2);
    await enqueue("prompt");
    await fixture.until(async () => (await fixture.traces()).length === 1);
    expect(copies).toBe(2);
    hold.resolve();
    await fixture.until(isEmpty);
    expect(copies).toBe(5);
  });

  it("show their progress, and are given back when the process stops", async () => {
    const begun = Promise.withResolvers<void>();
    const handler = (until: Promise<void>) =>
      runTask({
        task: copy,
        async run(task, signal) {
          task.progress(30, 100);
          begun.resolve();
          await Promise.race([until, new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))]);
        },
      });
    const first = fixture.runner([handler(new Promise(() => {}))]);
    const id = await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, copy, { payload: { name: "a" } }));
    await begun.promise;
    const status = async () => await get().db.read("test", async (tx) => await fixture.tasks.status(tx, id));
    await fixture.until(async () => (await status())?.progress !== null);
    expect(await status()).toEqual({ state: "running", attempts: 1, progress: { done: 30, total: 100 }, error: null });
    await first.close();
    expect(await status()).toMatchObject({ state: "waiting", attempts: 0 });
    fixture.runner([handler(Promise.resolve())]);
    await fixture.until(isEmpty);
    expect(await status()).toBeNull();
  });

  it("of kinds or roles without a handler are left alone", async () => {
    await enqueue("a");
    await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, { ...call, role: "bot" }, { payload: { name: "b" } }));
    const called: string[] = [];
    const calling = runTask({
      task: { ...call, role: "bot" as const },
      run: async ({ payload }) => void called.push(payload.name),
    });
    fixture.runner([calling], { roles: ["worker"] });
    await get().clock.advance(5000);
    expect(await fixture.rows()).toHaveLength(2);
    fixture.runner([calling], { roles: ["bot"] });
    await fixture.until(() => called.length === 1);
    fixture.runner([tracing]);
    await fixture.until(isEmpty);
  });

  it("let a handler check that it still owns its task", async () => {
    const outcome = Promise.withResolvers<unknown>();
    fixture.runner([
      runTask({
        task: call,
        async run(task) {
          await get().db.write("test.guarded", async (tx) => await task.guard(tx));
          await fixture.write(async (tx) => await fixture.tasks.cancel(tx, call, "k"));
          await get()
            .db.write("test.guarded", async (tx) => await task.guard(tx))
            .then(outcome.resolve, outcome.resolve);
        },
      }),
    ]);
    await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, call, { payload: { name: "a" }, key: "k" }));
    expect(await outcome.promise).toBeInstanceOf(TaskLost);
  });
});
