import { Type } from "typebox";
import { defineWorkerTask, type WorkerTaskDefinition } from "#core/contract/index.ts";
import { queries } from "#core/db/index.ts";
import {
  applyTask,
  type Database,
  type RunningTask,
  runTask,
  TaskFailedForGood,
  type TaskHandler,
  TryLater,
  type Tx,
} from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import type { TestDatabase } from "#testkit/database.ts";
import { watchDatabase, type WatchedDatabase } from "#testkit/idle.ts";
import { noMetrics, silentLog } from "#testkit/silence.ts";
import { checkPayload } from "./payloads.ts";
import { TaskRunner } from "./runner.ts";
import { type EnqueuedTask, type ModelAttempt, type Seen, TasksModel } from "./tasks.model.testkit.ts";
import { TaskQueue } from "./tasks.ts";

const Named = Type.Object({ name: Type.String({ maxLength: 60 }) });
/** Of work outside of the database; less than the time limit. */
const slowMs = 2000;
export const limits = { attempts: 3, laterMs: 4000 };
const common = { payload: Named, retry: { attempts: limits.attempts, firstMs: 1000, maxMs: 60_000 }, timeoutMs: 3000 };
/** `name` is `<order key>/<number>`. */
const orderKey = ({ name }: { readonly name: string }) => name.split("/", 1)[0]!;

const inSql = [
  defineWorkerTask({ id: "drawn.apply", lane: "prompt", ...common }),
  defineWorkerTask({ id: "drawn.applyInOrder", lane: "prompt", ...common, orderKey }),
];
const outside = [
  defineWorkerTask({ id: "drawn.run", lane: "network", ...common }),
  defineWorkerTask({ id: "drawn.runInOrder", lane: "network", ...common, orderKey }),
];
export const kinds = [...inSql, ...outside];

/** One process: its statements can be held back for a while, or for good. */
class Worker {
  readonly runner: TaskRunner;
  readonly attempts = new Set<ModelAttempt>();
  dying: "before" | "after" | null = null;
  gone = false;
  /** The next write fails although it may be stored: the connection broke. */
  breaking: "before" | "after" | null = null;
  #held: PromiseWithResolvers<void> | null = null;

  constructor(db: WatchedDatabase, world: DrawnTasks, get: () => TestDatabase) {
    const gated: Database = {
      ...db,
      read: async (name, work) => {
        await this.#held?.promise;
        return await db.read(name, work);
      },
      write: async (name, work) => {
        await this.#held?.promise;
        const result = await db.write(name, async (tx) => {
          const done = await work(tx);
          if (this.breaking === "before") {
            this.breaking = null;
            throw new Error("the connection broke");
          }
          if (this.dying === "before") {
            this.die(world);
            throw new Error("the connection ended");
          }
          return done;
        });
        if (this.dying === "after") this.die(world);
        await this.#held?.promise;
        if (this.breaking === "after") {
          this.breaking = null;
          throw new Error("the connection broke");
        }
        return result;
      },
    };
    const { clock, ids } = get();
    const handlers = world.handlers(this);
    this.runner = new TaskRunner({ db: gated, clock, ids, log: silentLog, metrics: noMetrics, roles: ["worker"], handlers });
    this.runner.start();
  }

  get frozen(): boolean {
    return this.#held !== null;
  }

  freeze(world: DrawnTasks): void {
    this.#held ??= Promise.withResolvers();
    world.model.disturbed(this.attempts);
  }

  die(world: DrawnTasks): void {
    this.gone = true;
    this.freeze(world);
  }

  breakNext(when: "before" | "after", world: DrawnTasks): void {
    this.breaking = when;
    world.model.disturbed(this.attempts);
  }

  thaw(): void {
    this.#held?.resolve();
    this.#held = null;
  }

  /** What still waits for the database fails, as when the program ended. */
  failHeld(): void {
    this.#held?.reject(new Error("the worker is gone"));
  }
}

/** Worker tasks with handlers that do as the model's script says, and workers that fail. */
export class DrawnTasks {
  readonly model = new TasksModel(limits);
  readonly #get: () => TestDatabase;
  readonly #opened: readonly Database[];
  readonly #db: WatchedDatabase;
  readonly #tasks: TaskQueue;
  readonly #workers: Worker[] = [];
  readonly #watched: WatchedDatabase[] = [];
  #written = 0;

  /** `opened` are the databases of the workers and of those who enqueue. */
  constructor(get: () => TestDatabase, opened: readonly Database[]) {
    this.#get = get;
    this.#opened = opened;
    this.#db = watchDatabase(opened[0]!);
    this.#watched.push(this.#db);
    this.#tasks = new TaskQueue({ db: this.#db, ids: get().ids, check: checkPayload });
    this.#tasks.onDue(() => {
      for (const { runner, gone, frozen } of this.#workers) if (!gone && !frozen) runner.nudge();
    });
  }

  get workers(): readonly Worker[] {
    return this.#workers.filter(({ gone }) => !gone);
  }

  start(): void {
    const db = watchDatabase(this.#opened[this.#workers.length % this.#opened.length]!);
    this.#watched.push(db);
    this.#workers.push(new Worker(db, this, this.#get));
  }

  async close(worker: Worker): Promise<void> {
    worker.thaw();
    this.model.disturbed(worker.attempts);
    worker.gone = true;
    await this.moving(worker.runner.close());
  }

  handlers(worker: Worker): TaskHandler[] {
    return [
      ...inSql.map((task) =>
        applyTask({
          task,
          apply: async (tx, running) => {
            const attempt = this.#begin(running, worker, false);
            await this.#leaveEffect(tx, running);
            await this.#perform(running, attempt, worker);
          },
        }),
      ),
      ...outside.map((task) =>
        runTask({
          task,
          run: async (running, signal) => {
            const attempt = this.#begin(running, worker, true);
            worker.attempts.add(attempt);
            const lost = () => this.model.finished(attempt);
            signal.addEventListener("abort", lost, { once: true });
            await new Promise((resolve) => setImmediate(resolve));
            try {
              await this.#perform(running, attempt, worker);
            } finally {
              worker.attempts.delete(attempt);
              lost();
            }
          },
          store: async (tx, running) => await this.#leaveEffect(tx, running),
        }),
      ),
    ];
  }

  #begin({ id, payload, attempt }: RunningTask, worker: Worker, alone: boolean): ModelAttempt {
    this.model.clock(this.#get().clock.now());
    const started = this.model.started(id, (payload as { name: string }).name, attempt, alone);
    started.excused ||= worker.frozen;
    return started;
  }

  async #perform(running: RunningTask, attempt: ModelAttempt, worker: Worker): Promise<void> {
    const outcome = this.model.outcomeOf(attempt.name, running.attempt);
    if (outcome === "slow" && worker.attempts.has(attempt)) await this.#get().clock.sleep(slowMs);
    if (outcome === "hangs") await new Promise(() => {});
    if (outcome === "diesBefore") worker.dying = "before";
    if (outcome === "diesAfter") worker.dying = "after";
    if (outcome !== "throws" && outcome !== "forGood" && outcome !== "later") return;
    const now = this.#get().clock.now();
    this.model.failed(attempt, now, outcome === "later");
    if (outcome === "later") throw new TryLater(limits.laterMs, "asked to wait");
    throw outcome === "forGood" ? new TaskFailedForGood("for good") : new Error("no luck");
  }

  async #leaveEffect(tx: Tx, { payload, attempt }: RunningTask): Promise<void> {
    this.#written += 1;
    const event_id = `${(payload as { name: string }).name}.${attempt}.${this.#written}`;
    const row = { consumer: "drawn", event_id, handled_at: this.#written };
    await queries<InfrastructureTables>(tx).insertInto("outbox_inbox").values(row).execute();
  }

  async enqueue(kind: WorkerTaskDefinition, drawn: readonly Omit<EnqueuedTask, "id" | "kind">[]): Promise<void> {
    const ids = await this.#write(
      async (tx) =>
        await this.#tasks.enqueueAll(
          tx,
          kind,
          drawn.map(({ name, key, dueAt }) => ({ payload: { name }, dueAt, ...(key === null ? {} : { key }) })),
        ),
      (stored) => {
        for (const [at, task] of drawn.entries()) this.model.enqueued({ ...task, id: stored[at]!, kind: kind.id });
      },
    );
    this.#ids.push(...ids);
  }

  readonly #ids: string[] = [];

  async rollBack(kind: WorkerTaskDefinition, name: string, key: string | null): Promise<void> {
    this.model.rolledBack(name);
    const failing = this.#write(async (tx) => {
      await this.#tasks.enqueue(tx, kind, { payload: { name }, ...(key === null ? {} : { key }) });
      throw new RangeError("rolled back");
    });
    await failing.catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
    });
  }

  async cancel(kind: WorkerTaskDefinition, key: string): Promise<void> {
    const before = await this.seen();
    await this.#write(
      async (tx) => await this.#tasks.cancel(tx, kind, key),
      (was) => this.model.cancelled(kind.id, key, was, before),
    );
  }

  async changeDead(how: "resend" | "discard", which: number): Promise<void> {
    const before = await this.seen();
    const dead = await this.#deadTasks();
    const one = dead[which % Math.max(1, dead.length)];
    if (one === undefined) return;
    await this.#write(
      async (tx) => await this.#tasks[how](tx, one.id),
      (was) => (how === "resend" ? this.model.resent(one.taskId, was, before) : this.model.discarded(one.taskId, was)),
    );
  }

  async #deadTasks() {
    return (await this.moving(this.#db.read("drawn.dead", async (tx) => await this.#tasks.dead(tx, 100)))).items;
  }

  /** `then` runs before anything that waits for the commit in another process can be seen. */
  async #write<T>(work: (tx: Tx) => Promise<T>, then?: (result: T) => void): Promise<T> {
    return await this.moving(
      this.#db.write("drawn.write", work).then((result) => {
        then?.(result);
        return result;
      }),
    );
  }

  async seen(): Promise<Seen> {
    const rows = await this.moving(
      this.#db.read("drawn.effects", (tx) =>
        queries<InfrastructureTables>(tx).selectFrom("outbox_inbox").select("event_id").orderBy("handled_at").execute(),
      ),
    );
    // After the effects: when a later task of an order key has one, it is known how the earlier ones ended.
    const dead = new Set((await this.#deadTasks()).map(({ taskId }) => taskId));
    return { dead, effects: rows.map(({ event_id }) => event_id.split(".", 1)[0]!) };
  }

  async look(): Promise<Seen> {
    const seen = await this.seen();
    this.model.look(seen);
    return seen;
  }

  /** Waits for `work` and moves the clock meanwhile: a handler that hangs may have the database. */
  async moving<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const watched = work.finally(() => (settled = true));
    watched.catch(() => {});
    for (;;) {
      await this.idle();
      if (settled) return await watched;
      await this.#get().clock.advance(500);
    }
  }

  async idle(): Promise<void> {
    await Promise.all(this.#watched.map(async (db) => await db.idle()));
  }

  async advance(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      await this.idle();
      await this.#get().clock.advance(500);
    }
    await this.idle();
    this.model.clock(this.#get().clock.now());
  }

  /** Frozen workers go on and one is added; returns when everything ended, or after `atMostMs`. */
  async end(atMostMs: number): Promise<void> {
    for (const worker of this.workers) worker.thaw();
    this.start();
    for (let passed = 0; passed < atMostMs; passed += 1000) {
      const { effects } = await this.look();
      if (this.model.open(effects).length === 0) break;
      await this.advance(1000);
    }
    await this.advance(1000);
    const known = await this.moving(
      this.#db.read("drawn.status", async (tx) => {
        const found = new Set<string>();
        for (const id of this.#ids) if ((await this.#tasks.status(tx, id)) !== null) found.add(id);
        return found;
      }),
    );
    this.model.end(await this.seen(), known);
  }

  async closeAll(): Promise<void> {
    for (const worker of this.#workers) worker.failHeld();
    await this.moving(Promise.all(this.#workers.map(async ({ runner }) => await runner.close())));
  }
}
