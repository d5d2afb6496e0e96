import { defineWorkerTask } from "../../packages/server/src/core/contract/index.ts";
import { queries } from "../../packages/server/src/core/db/index.ts";
import { applyTask, type DatabaseKind, runTask, type Tx } from "../../packages/server/src/core/ports/index.ts";
import { systemClock } from "../../packages/server/src/infra/clock.ts";
import { createIds } from "../../packages/server/src/infra/ids.ts";
import type { InfrastructureTables } from "../../packages/server/src/infra/db/infrastructure.schema.ts";
import { checkPayload, TaskQueue, TaskRunner } from "../../packages/server/src/infra/tasks/index.ts";
import { lookAhead } from "../../packages/server/src/infra/tasks/look.ts";
import { remind } from "../../packages/server/src/infra/tasks/tasks.testkit.ts";
import { openTestDatabase } from "../../packages/server/src/testkit/database.ts";
import { noMetrics, silentLog } from "../../packages/server/src/testkit/silence.ts";
import { hasMariadb } from "../kit/mariadb.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile } from "../kit/stats.ts";

const tasksEach = 2_500;
const objects = 250;
const probeEveryMs = 25;
const slowestPerSecond = 300;

const { payload } = remind;
const orderKey = ({ name }: { readonly name: string }) => name.split("/", 1)[0]!;
const kinds = {
  remind: defineWorkerTask({ id: "bench.remind", payload, lane: "prompt" }),
  follow: defineWorkerTask({ id: "bench.follow", payload, lane: "prompt", orderKey }),
  call: defineWorkerTask({ id: "bench.call", payload, lane: "network" }),
  send: defineWorkerTask({ id: "bench.send", payload, lane: "network" }),
};
const probe = defineWorkerTask({ id: "bench.probe", payload, lane: "bulk" });

/** The row that a task exists for. */
async function leaveRow(tx: Tx, consumer: string, name: string): Promise<void> {
  await queries<InfrastructureTables>(tx)
    .insertInto("outbox_inbox")
    .values({ consumer, event_id: name, handled_at: 0 })
    .execute();
}

const waitingOrdered = { few: 1_000, many: 80_000 };
const looks = 100;

/** The p50 of a look at the queue with few and with many tasks of order keys in it, in milliseconds. */
async function measureLooks(kind: DatabaseKind): Promise<{ readonly few: number; readonly many: number }> {
  const opened = await openTestDatabase(kind);
  const db = opened.open({ test: {} });
  const tasks = new TaskQueue({ db, ids: createIds(systemClock), check: checkPayload });
  const queues = (["prompt", "network", "bulk"] as const).map((lane) => {
    const named = [...Object.values(kinds), probe].filter((one) => one.lane === lane);
    return { role: "worker" as const, lane, kinds: named.map(({ id }) => id) };
  });
  const fill = async (from: number, to: number) => {
    for (let at = from; at < to; at += 1_000) {
      const all = Array.from({ length: 1_000 }, (_, i) => ({ payload: { name: `o${i % objects}/${at + i}` } }));
      await db.write("bench.enqueue", async (tx) => await tasks.enqueueAll(tx, kinds.follow, all));
    }
  };
  const p50 = async () => {
    const took: number[] = [];
    for (let i = 0; i < looks; i += 1) {
      const started = performance.now();
      await db.read("bench.look", async (tx) => await lookAhead(tx, queues));
      took.push(performance.now() - started);
    }
    return percentile(took, 0.5);
  };
  try {
    await fill(0, waitingOrdered.few);
    const few = await p50();
    await fill(waitingOrdered.few, waitingOrdered.many);
    return { few, many: await p50() };
  } finally {
    await opened.empty();
    await opened.close();
  }
}

interface Measured {
  readonly perSecond: number;
  readonly statementsEach: number;
  /** From the commit of a task of the idle lane until its handler begins, in milliseconds. */
  readonly waits: readonly number[];
}

async function measure(kind: DatabaseKind): Promise<Measured> {
  const opened = await openTestDatabase(kind);
  // The clock of the database, and durable commits, which tests do without.
  const db = opened.open({ test: {} });
  const ids = createIds(systemClock);
  const tasks = new TaskQueue({ db, ids, check: checkPayload });
  const committed = new Map<string, number>();
  const waits: number[] = [];
  let left = tasksEach * Object.keys(kinds).length;
  const done = Promise.withResolvers<void>();
  const ended = (tx: Tx) =>
    tx.afterCommit(() => {
      left -= 1;
      if (left === 0) done.resolve();
    });
  const inSql = [kinds.remind, kinds.follow].map((task) =>
    applyTask({
      task,
      async apply(tx, { payload: { name } }) {
        await leaveRow(tx, task.id, name);
        ended(tx);
      },
    }),
  );
  const outside = [kinds.call, kinds.send].map((task) =>
    runTask({
      task,
      run: async () => await new Promise<void>((resolve) => setImmediate(resolve)),
      async store(tx, { payload: { name } }) {
        await leaveRow(tx, task.id, name);
        ended(tx);
      },
    }),
  );
  const probing = runTask({
    task: probe,
    async run({ payload: { name } }) {
      waits.push(performance.now() - committed.get(name)!);
    },
  });
  const handlers = [...inSql, ...outside, probing];
  const runner = new TaskRunner({ db, clock: systemClock, ids, log: silentLog, metrics: noMetrics, roles: ["worker"], handlers });
  tasks.onDue(() => runner.nudge());
  try {
    for (const definition of Object.values(kinds)) {
      const all = Array.from({ length: tasksEach }, (_, i) => ({ payload: { name: `o${i % objects}/${i}` } }));
      await db.write("bench.enqueue", async (tx) => await tasks.enqueueAll(tx, definition, all));
    }
    let statements = 0;
    db.observe(() => (statements += 1));
    const started = performance.now();
    runner.start();
    let probes = 0;
    while (left > 0) {
      const name = `p${probes}`;
      await db.write("bench.probe", async (tx) => {
        await tasks.enqueue(tx, probe, { payload: { name } });
        // When the commit is known the handler may have begun already.
        committed.set(name, performance.now());
      });
      probes += 1;
      await Promise.race([done.promise, systemClock.sleep(probeEveryMs)]);
    }
    const seconds = (performance.now() - started) / 1000;
    const count = tasksEach * Object.keys(kinds).length;
    return { perSecond: count / seconds, statementsEach: statements / (count + probes), waits };
  } finally {
    await runner.close();
    await opened.empty();
    await opened.close();
  }
}

async function measureOn(kind: DatabaseKind, machine: Machine): Promise<Finding[]> {
  const name = kind === "sqlite" ? "SQLite" : "MariaDB";
  const { perSecond, statementsEach, waits } = await measure(kind);
  machine.sample();
  const look = await measureLooks(kind);
  machine.sample();
  const p99 = percentile(waits, 0.99);
  machine.log(
    `${name}: ${perSecond.toFixed(0)} tasks/s, ${statementsEach.toFixed(2)} statements each; another lane p50 ${percentile(waits, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${waits.length}; a look takes ${look.few.toFixed(2)} ms, with ${waitingOrdered.many} waiting ${look.many.toFixed(2)} ms`,
  );
  const slowness = machine.slowness();
  return [
    finding({ row: `worker tasks, ${name}`, measured: { value: perSecond, unit: "/s" }, atLeast: slowestPerSecond / slowness }),
    finding({ row: `statements of a worker task, ${name}`, measured: { value: statementsEach, unit: "" }, atMost: 4 }),
    finding({
      row: `a task of another lane begins, p99, ${name}`,
      measured: { value: p99, unit: "ms" },
      atMost: 250,
      slowness,
    }),
    finding({
      row: `a look with ${waitingOrdered.many} waiting tasks in order, ${name}`,
      measured: { value: look.many, unit: "ms" },
      baseline: { value: look.few, unit: "ms" },
      ratioAtMost: 3,
    }),
  ];
}

const count = tasksEach * Object.keys(kinds).length;
const note = `${count} tasks of 4 kinds in 2 lanes, enqueued before one worker starts; a quarter of them in the order of ${objects} objects; each leaves one row. Looks, claims and renewals count as statements of the tasks. Meanwhile tasks of a third lane are enqueued one at a time, measured from before their commit until their handler begins. A look with many waiting tasks is compared with one with ${waitingOrdered.few} of them.`;

async function run(machine: Machine): Promise<Finding[]> {
  if (!(await hasMariadb())) throw new Error("the tasks row requires MariaDB");
  const [first, ...others] = [...(await measureOn("sqlite", machine)), ...(await measureOn("mariadb", machine))];
  return [{ ...first!, note }, ...others];
}

export const tasks: Row = { name: "tasks", title: `${count} worker tasks by one worker`, run };
