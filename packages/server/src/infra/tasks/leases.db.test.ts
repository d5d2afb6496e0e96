import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { queries } from "#core/db/index.ts";
import { applyTask, runTask, type TaskHandler, type Tx } from "#core/ports/index.ts";
import { openTestDatabase, testedKinds } from "#testkit/database.ts";
import { call, copy, leaveTrace, remind, TasksFixture } from "./tasks.testkit.ts";
import type { TaskTables } from "./tasks.schema.ts";

type Kind = typeof call;

/** A handler that ends when the test does. */
interface Held {
  readonly handler: TaskHandler;
  readonly begun: () => number;
  release(): void;
}

/** SQLite has one writer, who never waits for the row of another one. */
describe.skipIf(!testedKinds.includes("mariadb"))("leases of worker tasks on MariaDB", () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeAll(async () => {
    database = await openTestDatabase("mariadb");
  });
  afterAll(async () => await database?.close());
  const fixture = new TasksFixture(() => database);
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
    await fixture.close();
    await database.closeOthers();
    await database.empty();
  });
  const enqueue = async (kind: Kind, name: string) =>
    await fixture.write(async (tx) => await fixture.tasks.enqueue(tx, kind, { payload: { name } }));
  const rowOf = async ({ id }: Kind) => (await fixture.rows()).find(({ kind }) => kind === id);
  const change = async (tx: Tx, { id }: Kind, set: Readonly<Record<string, string | number>>) =>
    await queries<TaskTables>(tx).updateTable("worker_tasks").set(set).where("kind", "=", id).execute();
  const remove = async (tx: Tx, { id }: Kind) =>
    await queries<TaskTables>(tx).deleteFrom("worker_tasks").where("kind", "=", id).execute();

  function held(make: (wait: () => Promise<void>) => TaskHandler): Held {
    const hold = Promise.withResolvers<void>();
    ends.push(() => hold.resolve());
    let begun = 0;
    const handler = make(async () => {
      begun += 1;
      await hold.promise;
    });
    return { handler, begun: () => begun, release: () => hold.resolve() };
  }
  const heldOutside = (task: Kind) => held((wait) => runTask({ task, run: wait }));

  /**
   * Does `work` in a transaction that stays open, as that of a frozen process. The server ends it after ten seconds,
   * and then it begins again: only what never waited for it finds the first one.
   */
  async function openUnit(work: (tx: Tx) => Promise<unknown>): Promise<{ wasNeverWaitedFor(): Promise<boolean> }> {
    const [inside, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let tries = 0;
    const unit = database.open().write("test.open", async (tx) => {
      tries += 1;
      await work(tx);
      inside.resolve();
      await go.promise;
      await queries<TaskTables>(tx).selectFrom("worker_tasks").select("id").execute();
    });
    const end = async () => {
      go.resolve();
      await unit;
    };
    ends.push(end);
    await inside.promise;
    return {
      async wasNeverWaitedFor() {
        await end();
        return tries === 1;
      },
    };
  }

  describe.each([false, true])("(disableLocking: %s)", (disableLocking) => {
    const open = () => database.open({ disableLocking });

    it("are renewed while a task of the same worker is in its transaction", async () => {
      const outside = heldOutside(call);
      const inside = held((wait) =>
        applyTask({
          task: remind,
          async apply(tx, { payload }) {
            await leaveTrace(tx, payload.name);
            await wait();
          },
        }),
      );
      fixture.runner([outside.handler, inside.handler], { db: open() });
      await enqueue(call, "outside");
      await fixture.until(() => outside.begun() === 1);
      const before = (await rowOf(call))!.lease_until!;
      await enqueue(remind, "inside");
      await fixture.until(() => inside.begun() === 1);
      await database.clock.advance(3000);
      await fixture.until(async () => (await rowOf(call))?.lease_until !== before);
      inside.release();
      await fixture.until(async () => (await rowOf(remind)) === undefined);
      expect(inside.begun()).toBe(1);
      expect(await fixture.traces()).toEqual(["inside"]);
      expect(await rowOf(call)).toMatchObject({ lease_until: before + 3000, attempts: 1 });
    });

    describe("while a transaction with another task is open", () => {
      it("are renewed", async () => {
        const [other, mine] = [heldOutside(copy), heldOutside(call)];
        fixture.runner([other.handler], { db: open() });
        await enqueue(copy, "other");
        await fixture.until(() => other.begun() === 1);
        fixture.runner([mine.handler], { db: open() });
        await enqueue(call, "mine");
        await fixture.until(() => mine.begun() === 1);
        const before = (await rowOf(call))!.lease_until!;
        const unit = await openUnit(async (tx) => await remove(tx, copy));
        await database.clock.advance(3000);
        await fixture.until(async () => (await rowOf(call))?.lease_until === before + 3000);
        expect(await unit.wasNeverWaitedFor()).toBe(true);
      });

      it("are begun", async () => {
        await enqueue(copy, "other");
        const unit = await openUnit(async (tx) => await change(tx, copy, { state: "running", owner: "other" }));
        const mine = heldOutside(call);
        fixture.runner([mine.handler], { db: open() });
        await enqueue(call, "mine");
        await fixture.until(() => mine.begun() === 1);
        expect(await unit.wasNeverWaitedFor()).toBe(true);
      });
    });
  });

  describe("while a transaction with another task is open", () => {
    it("are taken over", async () => {
      const gone = { state: "running", owner: "gone", attempts: 1, fence: 1, lease_until: database.clock.now() - 1 };
      for (const kind of [copy, call]) {
        await enqueue(kind, "gone");
        await fixture.write(async (tx) => await change(tx, kind, gone));
      }
      const unit = await openUnit(async (tx) => await remove(tx, copy));
      const mine = heldOutside(call);
      fixture.runner([mine.handler]);
      await fixture.until(() => mine.begun() === 1);
      expect(await unit.wasNeverWaitedFor()).toBe(true);
    });

    it("of the tasks in it are left to it, and the worker goes on with the others", async () => {
      const [cancelled, mine] = [heldOutside(copy), heldOutside(call)];
      fixture.runner([cancelled.handler, mine.handler]);
      for (const kind of [copy, call]) await enqueue(kind, "mine");
      await fixture.until(() => cancelled.begun() + mine.begun() === 2);
      const before = (await rowOf(call))!.lease_until!;
      const unit = await openUnit(async (tx) => await remove(tx, copy));
      await database.clock.advance(3000);
      await fixture.until(async () => (await rowOf(call))?.lease_until === before + 3000);
      expect(await unit.wasNeverWaitedFor()).toBe(true);
      await database.clock.advance(3000);
      await fixture.until(() => fixture.log.lines.some(({ message }) => message === "an attempt of a task was given up"));
    });
  });
});
