import fc from "fast-check";
import { expect, it, describe } from "vitest";
import { queries } from "#core/db/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import { describeDatabases } from "#testkit/database.ts";
import { DrawnTasks, kinds } from "./tasks.drawn.testkit.ts";
import { outcomes } from "./tasks.model.testkit.ts";
import type { TaskTables } from "./tasks.schema.ts";

const runs = 5 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1);
const seed = 20_261_123;

const kind = fc.constantFrom(...kinds);
const order = fc.constantFrom("o", "p");
const key = fc.constant("a");
const which = fc.nat(5);
const outcome = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom("succeeds", "slow", "slow", "forGood" as const) },
  { weight: 1, arbitrary: fc.constantFrom(...outcomes) },
);
const task = fc.record({
  key: fc.option(key, { freq: 2 }),
  order,
  delayMs: fc.constantFrom(0, 0, 0, 0, 2000, 6000),
  script: fc.array(outcome, { maxLength: 3 }),
});
const does = <T extends string>(name: T) => fc.constant(name);
const command = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: does("enqueue"), kind, tasks: task.map((one) => [one]) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: does("enqueue"),
      kind,
      tasks: fc.array(
        task.map((one) => ({ ...one, key: null })),
        { minLength: 2, maxLength: 5 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: does("rollBack"), kind, key: fc.option(key), order }) },
  { weight: 2, arbitrary: fc.record({ do: does("cancel"), kind, key }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("resend", "resend", "discard"), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("freeze", "thaw", "close"), which }) },
  { weight: 1, arbitrary: fc.record({ do: does("breakNext"), which, when: fc.constantFrom("before", "after") }) },
  { weight: 2, arbitrary: fc.record({ do: does("start") }) },
  { weight: 5, arbitrary: fc.record({ do: does("advance"), ms: fc.constantFrom(500, 1000, 3000, 12_000) }) },
  { weight: 1, arbitrary: fc.record({ do: does("step"), ms: fc.constantFrom(-1500, -400, 700, 15_000) }) },
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
const commands = fc.tuple(
  fc.integer({ min: 1, max: 3 }),
  fc.array(command, { minLength: 6, maxLength: 22 }),
  // Without these nothing disturbs the workers, and the model knows how each task ends.
  fc.boolean(),
);
const plain = { key: "a" as const, order: "o" as const, delayMs: 0 as const };
const [inSql, outside] = [kinds[0]!, kinds[2]!];
const later = { ...plain, delayMs: 6000 as const, script: [] };
/** What is drawn too seldom: a task that is replaced while it runs, and a dead one whose key waits. */
const examples: [[number, Command[], boolean]][] = [
  [
    [
      2,
      [
        { do: "enqueue", kind: outside, tasks: [{ ...plain, script: ["slow"] }] },
        { do: "advance", ms: 500 },
        { do: "enqueue", kind: outside, tasks: [later] },
        { do: "advance", ms: 3000 },
      ],
      false,
    ],
  ],
  [
    [
      1,
      [
        { do: "enqueue", kind: inSql, tasks: [{ ...plain, script: ["forGood"] }] },
        { do: "advance", ms: 1000 },
        { do: "enqueue", kind: inSql, tasks: [later] },
        { do: "resend", which: 0 },
      ],
      false,
    ],
  ],
];
const disturbing: ReadonlySet<string> = new Set(["freeze", "close", "step", "breakNext"]);
const calmOf = (one: Command): Command => {
  if (one.do !== "enqueue") return one;
  const calm = (script: readonly string[]) => script.filter((what) => !what.startsWith("dies")) as never[];
  return { ...one, tasks: one.tasks.map((each) => ({ ...each, script: calm(each.script) })) };
};

async function perform(
  world: DrawnTasks,
  one: Command,
  now: () => number,
  step: (ms: number) => void,
  number: number,
): Promise<void> {
  const workers = "which" in one ? world.workers : [];
  const worker = "which" in one ? workers[one.which % Math.max(1, workers.length)] : undefined;
  switch (one.do) {
    case "enqueue":
      return await world.enqueue(
        one.kind,
        one.tasks.map((each, at) => ({
          name: `${each.order}/${number}-${at}`,
          orderKey: one.kind.orderKey === undefined ? null : each.order,
          key: each.key,
          dueAt: now() + each.delayMs,
          script: each.script,
        })),
      );
    case "rollBack":
      return await world.rollBack(one.kind, `${one.order}/${number}-never`, one.key);
    case "cancel":
      return await world.cancel(one.kind, one.key);
    case "resend":
    case "discard":
      return await world.changeDead(one.do, one.which);
    case "freeze":
      return worker?.freeze(world);
    case "thaw":
      return worker?.thaw();
    case "breakNext":
      return worker?.breakNext(one.when, world);
    case "close":
      if (worker !== undefined) await world.close(worker);
      return;
    case "start":
      if (world.workers.length < 3) world.start();
      return;
    case "advance":
      return await world.advance(one.ms);
    case "step":
      step(one.ms);
      world.model.stepped(one.ms);
      world.model.clock(now());
  }
}

describeDatabases("drawn worker tasks", (get) => {
  describe.each([false, true])("with disableLocking: %s", (disableLocking) => {
    it(`keep what the ports promise (${runs} cases)`, { timeout: 60_000 + runs * 5_000 }, async () => {
      const { clock, db } = get();
      const opened = [0, 1, 2].map(() => get().open({ disableLocking }));
      await fc.assert(
        fc.asyncProperty(commands, async ([started, drawn, calm]) => {
          const world = new DrawnTasks(get, opened);
          for (let at = 0; at < started; at += 1) world.start();
          try {
            const done = calm ? drawn.filter((one) => !disturbing.has(one.do)).map(calmOf) : drawn;
            for (const [number, one] of done.entries()) {
              await perform(
                world,
                one,
                () => clock.now(),
                (ms) => clock.step(ms),
                number,
              );
              await world.look();
            }
            await world.end(150_000);
          } finally {
            await world.closeAll();
            await db.write("test.empty", async (tx) => {
              await queries<InfrastructureTables>(tx).deleteFrom("outbox_inbox").execute();
              await queries<TaskTables>(tx).deleteFrom("worker_tasks").execute();
              await queries<TaskTables>(tx).deleteFrom("worker_tasks_dead").execute();
            });
          }
          expect(world.model.faults).toEqual([]);
        }),
        { seed, numRuns: runs, endOnFailure: true, examples },
      );
    });
  });
});
