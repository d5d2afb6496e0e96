import { Type } from "typebox";
import { defineEvent, defineWorkerTask } from "#core/contract/index.ts";
import { queries } from "#core/db/index.ts";
import {
  applyTask,
  type Database,
  LeaseLost,
  type Outbox,
  reactTo,
  runTask,
  type TaskHandler,
  type Tx,
} from "#core/ports/index.ts";
import { createLeases } from "#infra/coordination/leases.ts";
import { createOutbox, createReactions, createRelay, eventStream, retriedReactions } from "#infra/outbox/index.ts";
import type { RealtimeHub } from "#infra/realtime/hub.ts";
import type { World } from "#infra/realtime/realtime.testkit.ts";
import { checkPayload, shareDue, TaskQueue, TaskRunner } from "#infra/tasks/index.ts";
import { noMetrics, silentLog } from "../silence.ts";
import type { SimulatedBroker } from "./broker.ts";
import type { SimulatedDatabase } from "./database.ts";
import { Life, type Simulation } from "./simulation.ts";

/** What the simulated program stores besides the tables of the infrastructure. */
export const simulatedTables = `
  create table objects (key text primary key, version integer not null);
  create table wanted (id integer primary key autoincrement, kind text not null, name text not null);
  create table effects (id integer primary key autoincrement, kind text not null, name text not null, token integer);
`;

interface Tables {
  objects: { key: string; version: number };
  wanted: { kind: string; name: string };
  effects: { kind: string; name: string; token: number | null };
}

export const changed = defineEvent({
  id: "people.changed",
  version: 1,
  payload: Type.Object({ id: Type.Integer(), name: Type.String() }),
});

const Named = Type.Object({ name: Type.String() });
const retry = { attempts: 60, firstMs: 200, maxMs: 3000 };
const common = { payload: Named, retry };
const tasksOf = {
  apply: defineWorkerTask({ ...common, id: "sim.apply", lane: "prompt" }),
  run: defineWorkerTask({ ...common, id: "sim.run", lane: "network", timeoutMs: 4000 }),
  keyed: defineWorkerTask({ ...common, id: "sim.keyed", lane: "network" }),
  ordered: defineWorkerTask({ ...common, id: "sim.ordered", lane: "network", orderKey: ({ name }) => name.split("/", 1)[0]! }),
} as const;

export interface Shared {
  readonly simulation: Simulation;
  readonly database: SimulatedDatabase;
  readonly broker: SimulatedBroker;
  readonly world: World;
}

async function note(tx: Tx, kind: string, name: string, token: number | null = null): Promise<void> {
  await queries<Tables>(tx).insertInto("effects").values({ kind, name, token }).execute();
}

/** One process with everything that takes part in durable work. */
export class SimulatedProcess {
  readonly life: Life;
  readonly #shared: Shared;
  readonly #db: Database;
  readonly #tasks: TaskQueue;
  #outbox: Outbox | null = null;
  /** Null until it listens. */
  hub: RealtimeHub | null = null;

  constructor(shared: Shared) {
    this.#shared = shared;
    this.life = new Life(shared.simulation);
    this.#db = shared.database.portOf(this.life);
    this.#tasks = new TaskQueue({ db: this.#db, ids: shared.simulation.ids(), check: checkPayload });
  }

  /** Fails as often as drawn, before its effect or after it. */
  async #risky(effect: () => Promise<void>): Promise<void> {
    const { simulation } = this.#shared;
    if (simulation.chance(0.1)) throw new Error("drawn failure");
    await effect();
    if (simulation.chance(0.1)) throw new Error("drawn failure after the effect");
  }

  #handlers(): TaskHandler[] {
    const { simulation } = this.#shared;
    const applied = applyTask({
      task: tasksOf.apply,
      apply: async (tx, { payload: { name } }) => await this.#risky(async () => await note(tx, "apply", name)),
    });
    const outside = (kind: "run" | "ordered" | "keyed") =>
      runTask({
        task: tasksOf[kind],
        run: async (_task, signal) => {
          await this.life.delay(simulation.chance(0.05) ? 20_000 : kind === "keyed" ? 1500 : 300);
          signal.throwIfAborted();
          if (simulation.chance(0.15)) throw new Error("drawn failure");
        },
        store: async (tx, { payload: { name } }) => await note(tx, kind, name),
      });
    return [applied, outside("run"), outside("ordered"), outside("keyed")];
  }

  async start(): Promise<void> {
    const { simulation, broker: server, world } = this.#shared;
    const [db, clock, ids] = [this.#db, this.life.clock(), simulation.ids()];
    const broker = server.portOf(this.life);
    const common = { db, broker, clock, ids, log: silentLog, metrics: noMetrics };
    for (let made = false; !made;)
      made = await broker.ensureStream(eventStream).then(
        () => true,
        async () => await this.life.delay(1000).then(() => false),
      );
    const relay = createRelay(common);
    this.#outbox = createOutbox({ ids, clock, committed: () => relay.nudge() });
    relay.start();
    const reactions = ["a.note", "b.note"].map((consumer) =>
      reactTo({
        consumer,
        event: changed,
        handle: async (tx, { eventId }) => await this.#risky(async () => await note(tx, "reaction", `${consumer} ${eventId}`)),
      }),
    );
    await createReactions({ ...common, tasks: this.#tasks, reactions }).start();
    const handlers = [...this.#handlers(), retriedReactions(db, reactions)];
    const runner = new TaskRunner({ ...common, roles: ["worker"], handlers });
    shareDue({ broker, tasks: this.#tasks, runner, log: silentLog });
    runner.start();
    void this.#holdLease();
    this.hub = await world.hub(broker, clock, { ids });
  }

  /** One change of an object, unless the process has not started yet: its event and its tasks are in the same transaction. */
  async change(): Promise<void> {
    const { simulation } = this.#shared;
    const outbox = this.#outbox;
    if (outbox === null) return;
    const key = simulation.between(1, 4);
    const kinds = (Object.keys(tasksOf) as (keyof typeof tasksOf)[]).filter(() => simulation.chance(0.6));
    const group = simulation.between(1, 2);
    const isRolledBack = simulation.chance(0.1);
    await this.#db.write("sim.change", async (tx) => {
      const q = queries<Tables>(tx);
      const row = await q.selectFrom("objects").select("version").where("key", "=", `${key}`).executeTakeFirst();
      const version = (row?.version ?? 0) + 1;
      if (row) await q.updateTable("objects").set({ version }).where("key", "=", `${key}`).execute();
      else
        await q
          .insertInto("objects")
          .values({ key: `${key}`, version })
          .execute();
      await outbox.emit(tx, changed, { key: `${key}`, version, payload: { id: key, name: `${key}:${version}` } });
      for (const kind of kinds) {
        const name = `${kind}${group}/${key}/${version}`;
        await q.insertInto("wanted").values({ kind, name }).execute();
        const later = simulation.chance(0.2) ? { dueAt: simulation.now + simulation.between(0, 5000) } : {};
        const task = { payload: { name }, ...(kind === "keyed" ? { key: `g${group}` } : {}), ...later };
        await this.#tasks.enqueue(tx, tasksOf[kind], task);
      }
      if (isRolledBack) throw new Error("drawn rollback");
    });
  }

  /** Holds the one lease for a while, again and again, and writes under it. */
  async #holdLease(): Promise<void> {
    const { simulation } = this.#shared;
    const clock = this.life.clock();
    const leases = createLeases({ db: this.#db, clock, ids: simulation.ids(), disableLocking: false });
    for (;;) {
      await clock.sleep(simulation.between(500, 4000));
      const lease = await leases.acquire("sim", 3000);
      if (!lease) continue;
      try {
        for (let round = simulation.between(1, 5); round > 0; round -= 1) {
          await this.#db.write("sim.leased", async (tx) => {
            await lease.guard(tx);
            await note(tx, "lease", "sim", lease.token);
          });
          await clock.sleep(simulation.between(0, 2500));
          if (simulation.chance(0.5)) await lease.renew();
        }
        await lease.release();
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error;
      }
    }
  }
}
