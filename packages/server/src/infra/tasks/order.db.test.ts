import { afterEach, describe, expect, it } from "vitest";
import { queries } from "#core/db/index.ts";
import { applyTask, type NewTask, type Tx } from "#core/ports/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import type { TaskTables } from "./tasks.schema.ts";
import { follow, leaveTrace, TasksFixture } from "./tasks.testkit.ts";

const inOrder = applyTask({ task: follow, apply: async (tx, { payload }) => await leaveTrace(tx, payload.name) });
const hourMs = 3_600_000;

describeDatabases("worker tasks of an order key", (get) => {
  const fixture = new TasksFixture(get);
  afterEach(async () => await fixture.close());
  const put = async (name: string, options: Omit<NewTask<typeof follow>, "payload"> = {}) =>
    await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, follow, { payload: { name }, ...options }));
  const putAll = async (names: readonly string[]) => {
    const all = names.map((name) => ({ payload: { name } }));
    await fixture.write(async (tx) => await fixture.tasks.enqueueAll(tx, follow, all));
  };
  const nameOf = ({ payload }: { readonly payload: string }) => (JSON.parse(payload) as { name: string }).name;
  const states = async () => Object.fromEntries((await fixture.rows()).map((row) => [nameOf(row), row.state]));
  const isEmpty = async () => (await fixture.rows()).length === 0;
  const change = async (name: string, set: { state?: string; due_at?: number; attempts?: number }) =>
    await fixture.write(
      async (tx: Tx) =>
        await queries<TaskTables>(tx)
          .updateTable("worker_tasks")
          .set(set)
          .where("payload", "=", JSON.stringify({ name }))
          .execute(),
    );

  describe.each([false, true])("(disableLocking: %s)", (disableLocking) => {
    const open = () => get().open({ disableLocking });
    const start = () => fixture.runner([inOrder], { db: open() });

    it("are looked at one by one when they are enqueued together", async () => {
      await putAll(["a/1", "b/1", "a/2", "a/3", "b/2"]);
      expect(await states()).toEqual({ "a/1": "ordered", "a/2": "behind", "a/3": "behind", "b/1": "ordered", "b/2": "behind" });
    });

    it("are out of the way of looks while the one before them is not due", async () => {
      const { clock } = get();
      await put("a/1", { dueAt: clock.now() + hourMs });
      for (let at = 2; at < 80; at += 1) await put(`a/${at}`);
      await put("b/1");
      start();
      await fixture.advanceUntil(async () => (await fixture.traces()).length > 0, 3000);
      const { "a/1": first, ...others } = await states();
      expect([await fixture.traces(), first, new Set(Object.values(others))]).toEqual([["b/1"], "ordered", new Set(["behind"])]);
      await clock.advance(hourMs);
      expect(await fixture.advanceUntil(isEmpty)).toBe(true);
      expect(await fixture.traces()).toHaveLength(80);
    });

    it("move up when the one before them is cancelled", async () => {
      await put("a/1", { key: "k", dueAt: get().clock.now() + hourMs });
      await put("a/2");
      start();
      await fixture.advanceUntil(async () => (await states())["a/2"] === "behind", 3000);
      await fixture.write(async (tx) => await fixture.tasks.cancel(tx, follow, "k"));
      expect(await states()).toEqual({ "a/2": "ordered" });
      expect(await fixture.advanceUntil(isEmpty, 3000)).toBe(true);
    });

    it("move up when the one before them is replaced by one of another order key", async () => {
      const dueAt = get().clock.now() + hourMs;
      await put("a/1", { key: "k", dueAt });
      await putAll(["a/2", "b/2"]);
      start();
      await fixture.advanceUntil(async () => (await fixture.traces()).length > 0, 3000);
      await put("b/1", { key: "k", dueAt });
      expect(await fixture.advanceUntil(async () => (await fixture.traces()).length === 2, 3000)).toBe(true);
      expect([await fixture.traces(), await states()]).toEqual([["a/2", "b/2"], { "b/1": "ordered" }]);
    });

    it("move up when the one before them is dead", async () => {
      await put("a/1");
      await put("a/2");
      await change("a/1", { attempts: 12 });
      start();
      expect(await fixture.advanceUntil(isEmpty, 3000)).toBe(true);
      expect([await fixture.traces(), (await fixture.dead()).length]).toEqual([["a/2"], 1]);
    });

    it("wait for an earlier one whose transaction ended later", async () => {
      await putAll(["a/1", "a/2", "a/3"]);
      // As if the first one had just come while the second one ran and failed.
      await change("a/1", { state: "behind", due_at: get().clock.now() + 5000 });
      await change("a/2", { state: "ordered" });
      start();
      expect(await fixture.advanceUntil(isEmpty, 4000)).toBe(false);
      expect(await states()).toEqual({ "a/1": "ordered", "a/2": "behind", "a/3": "behind" });
      expect(await fixture.advanceUntil(isEmpty, 4000)).toBe(true);
    });

    it("move up when an earlier version of the program has ended the one before them", async () => {
      await putAll(["a/1", "a/2", "a/3"]);
      await fixture.write(
        async (tx) => await queries<TaskTables>(tx).deleteFrom("worker_tasks").where("state", "=", "ordered").execute(),
      );
      start();
      expect(await fixture.advanceUntil(isEmpty, 3000)).toBe(true);
      expect(await fixture.traces()).toEqual(["a/2", "a/3"]);
    });
  });
});
