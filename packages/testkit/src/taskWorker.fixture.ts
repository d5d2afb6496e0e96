import { createInterface } from "node:readline";
import { parseDsn } from "../../server/src/config/dsn.ts";
import { defineWorkerTask } from "../../server/src/core/contract/index.ts";
import { queries } from "../../server/src/core/db/index.ts";
import { applyTask, type Database, type Log, type RunningTask, runTask, type Tx } from "../../server/src/core/ports/index.ts";
import { systemClock } from "../../server/src/infra/clock.ts";
import { createDatabase } from "../../server/src/infra/db/database.ts";
import { createIds } from "../../server/src/infra/ids.ts";
import { type Claimed, checkPayload, TaskQueue, TaskRunner } from "../../server/src/infra/tasks/index.ts";
import { remind } from "../../server/src/infra/tasks/tasks.testkit.ts";
import { noMetrics, silentLog } from "../../server/src/testkit/silence.ts";

/** Where a worker waits until it is killed or told to go on. */
export type TaskStep = "claimed" | "running" | "inside" | "committed";

/**
 * A process that runs the worker tasks of one scenario, `<scenario>.apply` and `<scenario>.run`, as the server
 * does; each writes its name into `task_trace`. Arguments: JSON of TaskWorkerOrder. Commands by line on stdin:
 * `enqueue KIND NAME`, `go`. Prints one JSON line for each event.
 */
export interface TaskWorkerOrder {
  readonly dsn: string;
  readonly scenario: string;
  /** It stops at this step the first time that it gets there. */
  readonly waitsAt?: TaskStep;
  /** What the handler does in the first attempt. */
  readonly first?: "throws" | "hangs";
}

export type TaskWorkerEvent =
  | { readonly event: "up" }
  | { readonly event: "at"; readonly step: TaskStep }
  | { readonly event: "log"; readonly message: string };

async function work({ dsn, scenario, waitsAt, first }: TaskWorkerOrder): Promise<void> {
  const parsed = parseDsn(dsn, process.cwd());
  if (!("value" in parsed)) throw new Error("the DSN cannot be read");
  const print = (what: TaskWorkerEvent) => void process.stdout.write(`${JSON.stringify(what)}\n`);
  const log: Log = { ...silentLog, info: (_fields, message) => print({ event: "log", message }) };
  const pool = { maxOpenConns: 4, maxIdleConns: 2, connMaxIdleTimeMs: 0, connMaxLifetimeMs: 0 };
  const common = { pool, disableLocking: false, clock: systemClock, log: silentLog, metrics: noMetrics };
  const opened = createDatabase({ dsn: parsed.value, ...common });
  const go = Promise.withResolvers<void>();
  let waited = false;
  const at = async (step: TaskStep) => {
    if (waited || step !== waitsAt) return;
    waited = true;
    print({ event: "at", step });
    await go.promise;
  };
  const db: Database = {
    kind: opened.kind,
    now: async (tx) => await opened.now(tx),
    read: async (name, unit) => await opened.read(name, unit),
    state: () => opened.state(),
    onStateChange: (listener) => opened.onStateChange(listener),
    ping: async () => await opened.ping(),
    close: async () => await opened.close(),
    async write(name, unit) {
      const isEffect = name.startsWith(`tasks.${scenario}.`);
      const result = await opened.write(name, async (tx) => {
        const done = await unit(tx);
        if (isEffect) await at("inside");
        return done;
      });
      if (name === "tasks.claim" && (result as Claimed).rows.length > 0) await at("claimed");
      if (isEffect) await at("committed");
      return result;
    },
  };
  const more = { payload: remind.payload, timeoutMs: first === "hangs" ? 2000 : 60_000 } as const;
  const kinds = {
    apply: defineWorkerTask({ id: `${scenario}.apply`, lane: "prompt", ...more }),
    run: defineWorkerTask({ id: `${scenario}.run`, lane: "network", ...more }),
  };
  const leaveTrace = async (tx: Tx, { payload }: RunningTask) => {
    const { name } = payload as { name: string };
    await queries<{ task_trace: { name: string; process: number } }>(tx)
      .insertInto("task_trace")
      .values({ name, process: process.pid })
      .execute();
  };
  const misbehave = async ({ attempt }: RunningTask) => {
    if (attempt > 1) return;
    if (first === "throws") throw new Error("no luck");
    if (first === "hangs") await new Promise(() => {});
  };
  const handlers = [
    applyTask({
      task: kinds.apply,
      async apply(tx, task) {
        await leaveTrace(tx, task);
        await misbehave(task);
      },
    }),
    runTask({
      task: kinds.run,
      async run(task) {
        await at("running");
        await misbehave(task);
      },
      store: leaveTrace,
    }),
  ];
  const ids = createIds(systemClock);
  const tasks = new TaskQueue({ db: opened, ids, check: checkPayload });
  const runner = new TaskRunner({ db, clock: systemClock, ids, log, metrics: noMetrics, roles: ["worker"], handlers });
  tasks.onDue(() => runner.nudge());
  createInterface({ input: process.stdin }).on("line", (line) => {
    const [command, kind, name = ""] = line.split(" ");
    if (command === "go") go.resolve();
    if (command !== "enqueue") return;
    const definition = kind === "run" ? kinds.run : kinds.apply;
    void opened.write("test.enqueue", async (tx) => await tasks.enqueue(tx, definition, { payload: { name } }));
  });
  runner.start();
  print({ event: "up" });
}

const given = process.argv[2];
if (given !== undefined) await work(JSON.parse(given) as TaskWorkerOrder);
