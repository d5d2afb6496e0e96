import { Type } from "typebox";
import { defineWorkerTask, type TaskRole } from "#core/contract/index.ts";
import { queries } from "#core/db/index.ts";
import type { Database, TaskHandler, Tx } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import type { TestDatabase } from "#testkit/database.ts";
import { watchDatabase, type WatchedDatabase } from "#testkit/idle.ts";
import { noMetrics, recordingLog } from "#testkit/silence.ts";
import { checkPayload } from "./payloads.ts";
import { TaskRunner } from "./runner.ts";
import type { TaskTables } from "./tasks.schema.ts";
import { TaskQueue } from "./tasks.ts";

const Named = Type.Object({ name: Type.String({ maxLength: 60 }) });
const retry = { attempts: 3, firstMs: 1000, maxMs: 60_000 };

export const remind = defineWorkerTask({ id: "people.remind", payload: Named, lane: "prompt", retry });
export const call = defineWorkerTask({ id: "people.call", payload: Named, lane: "network", retry });
export const copy = defineWorkerTask({ id: "people.copy", payload: Named, lane: "bulk", retry });
/** `name` is `<key>/<number>`. */
export const follow = defineWorkerTask({
  id: "people.follow",
  payload: Named,
  lane: "prompt",
  retry,
  orderKey: ({ name }) => name.split("/", 1)[0]!,
});

/** Writes one row, in the transaction of the task; twice the same fails. */
export async function leaveTrace(tx: Tx, name: string): Promise<void> {
  await queries<InfrastructureTables>(tx)
    .insertInto("outbox_inbox")
    .values({ consumer: "task", event_id: name, handled_at: 0 })
    .execute();
}

export class TasksFixture {
  readonly #get: () => TestDatabase;
  readonly log = recordingLog();
  readonly #runners: TaskRunner[] = [];
  #watched: WatchedDatabase[] = [];
  #tasks: TaskQueue | null = null;

  constructor(get: () => TestDatabase) {
    this.#get = get;
  }

  get tasks(): TaskQueue {
    const { db, ids } = this.#get();
    return (this.#tasks ??= new TaskQueue({ db, ids, check: checkPayload }));
  }

  /** A runner like that of another process. */
  runner(
    handlers: readonly TaskHandler[],
    { db = this.#get().open(), roles = ["worker"] }: { readonly db?: Database; readonly roles?: readonly TaskRole[] } = {},
  ): TaskRunner {
    const { clock, ids } = this.#get();
    const watched = watchDatabase(db);
    this.#watched.push(watched);
    const made = new TaskRunner({ db: watched, clock, ids, log: this.log, metrics: noMetrics, roles, handlers });
    this.#runners.push(made);
    this.tasks.onDue(() => made.nudge());
    made.start();
    return made;
  }

  async close(): Promise<void> {
    const closing = this.#runners.splice(0).map(async (one) => await one.close());
    // Handlers that ignore their signal have a grace period.
    while ((await Promise.race([Promise.all(closing), new Promise<null>((done) => setTimeout(() => done(null), 20))])) === null)
      await this.#get().clock.advance(1000);
    this.#tasks = null;
    this.#watched = [];
    this.log.lines.splice(0);
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return await this.#get().db.write("test.write", work);
  }

  async rows() {
    return await this.#get().db.read("test.rows", (tx) =>
      queries<TaskTables>(tx).selectFrom("worker_tasks").selectAll().orderBy("id").execute(),
    );
  }

  async dead() {
    return await this.#get().db.read("test.dead", async (tx) => (await this.tasks.dead(tx, 100)).items);
  }

  /** Names of `leaveTrace`, in alphabetical order. */
  async traces(): Promise<string[]> {
    const rows = await this.#get().db.read("test.traces", (tx) =>
      queries<InfrastructureTables>(tx).selectFrom("outbox_inbox").select("event_id").orderBy("event_id").execute(),
    );
    return rows.map(({ event_id }) => event_id);
  }

  /** Resolves once no runner uses the database. */
  async idle(): Promise<void> {
    await Promise.all(this.#watched.map(async (db) => await db.idle()));
  }

  /** Waits without moving the clock: SQL answers in real time. */
  async until(condition: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Advances the clock in small steps until the condition holds, or for `atMostMs`; returns whether it holds. */
  async advanceUntil(condition: () => Promise<boolean> | boolean, atMostMs = 120_000, stepMs = 500): Promise<boolean> {
    for (let passed = 0; passed < atMostMs; passed += stepMs) {
      await this.idle();
      if (await condition()) return true;
      await this.#get().clock.advance(stepMs);
    }
    await this.idle();
    return await condition();
  }
}
