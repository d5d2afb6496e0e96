import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "#infra/realtime/realtime.testkit.ts";
import { decodeEvent } from "#infra/outbox/wire.ts";
import { openTestDatabase } from "#testkit/database.ts";
import { SimulatedBroker } from "#testkit/simulation/broker.ts";
import { SimulatedDatabase } from "#testkit/simulation/database.ts";
import { type Shared, SimulatedProcess, simulatedTables } from "#testkit/simulation/process.ts";
import { Simulation } from "#testkit/simulation/simulation.ts";
import { SimulatedViewer } from "#testkit/simulation/viewer.ts";

/** ROLLCALL_TEST_SEED repeats one run ("17") or several ("1-1000"), so that processes can share them. */
const given = process.env["ROLLCALL_TEST_SEED"];
const count = Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) > 1 ? 2000 : 6;
const [first = 1, last = first] = (given ?? `1-${count}`).split("-").map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, i) => first + i);

const processCount = 3;
const faultyMs = 60_000;
const healingMs = 120_000;

/** Three processes, faults for a minute, and time to end what was begun. */
class Run implements Shared {
  readonly simulation: Simulation;
  readonly database: SimulatedDatabase;
  readonly broker: SimulatedBroker;
  readonly world = new World("ann");
  readonly viewers: SimulatedViewer[];
  readonly #processes: (SimulatedProcess | null)[] = [];
  kills = 0;

  constructor(seed: number, content: Buffer) {
    this.simulation = new Simulation(seed);
    this.database = new SimulatedDatabase(this.simulation, content);
    this.database.sqlite.exec(simulatedTables);
    this.broker = new SimulatedBroker(this.simulation);
    const alive = () => this.#processes.filter((one) => one !== null);
    this.viewers = [1, 2].map(() => new SimulatedViewer(this.simulation, this.database, alive));
  }

  #startAt(slot: number): void {
    const made = new SimulatedProcess(this);
    this.#processes[slot] = made;
    void made.start();
  }

  #workload(until: number): void {
    const { simulation } = this;
    simulation.schedule(simulation.between(0, 900), () => {
      const alive = this.#processes.filter((one) => one !== null);
      if (alive.length > 0) {
        const chosen = simulation.pick(alive);
        chosen.life.reach(() => void chosen.change().catch(() => {}));
      }
      if (simulation.elapsed < until) this.#workload(until);
    });
  }

  #faults(until: number): void {
    const { simulation, broker, database } = this;
    simulation.schedule(simulation.between(500, 4000), () => {
      const slot = simulation.between(0, processCount - 1);
      const chosen = this.#processes[slot] ?? null;
      const kind = simulation.pick(["kill", "kill", "freeze", "outage", "clock"] as const);
      if (kind === "kill" && chosen) {
        this.kills += 1;
        chosen.life.kill();
        this.#processes[slot] = null;
        simulation.schedule(simulation.between(500, 10_000), () => this.#startAt(slot));
      }
      if (kind === "freeze" && chosen) {
        chosen.life.freeze();
        simulation.schedule(simulation.between(2000, 25_000), () => chosen.life.thaw());
      }
      if (kind === "outage") {
        broker.setUp(false);
        simulation.schedule(simulation.between(500, 8000), () => broker.setUp(true));
      }
      if (kind === "clock") database.clockOffsetMs += simulation.between(-12_000, 12_000);
      if (simulation.elapsed < until) this.#faults(until);
    });
  }

  async play(): Promise<void> {
    for (let slot = 0; slot < processCount; slot += 1) this.#startAt(slot);
    for (const viewer of this.viewers) viewer.start();
    this.broker.losses = { request: 0.05, ack: 0.05, publish: 0.3 };
    this.#workload(faultyMs);
    this.#faults(faultyMs);
    await this.simulation.run(faultyMs + 30_000);
    this.broker.losses = { request: 0, ack: 0, publish: 0 };
    await this.simulation.run(healingMs);
  }

  rows<T>(statement: string): T[] {
    return this.database.sqlite.prepare(statement).all() as T[];
  }

  names(table: "wanted" | "effects", kind: string): string[] {
    return this.rows<{ name: string }>(`select name from ${table} where kind = '${kind}' order by id`).map(({ name }) => name);
  }
}

function grouped(names: readonly string[]): Record<string, string[]> {
  return Object.groupBy(names, (name) => name.split("/", 1)[0]!) as Record<string, string[]>;
}

function checkTasks(run: Run): void {
  expect(run.rows("select * from worker_tasks")).toEqual([]);
  expect(run.rows("select * from worker_tasks_dead")).toEqual([]);
  for (const kind of ["apply", "run"])
    expect(run.names("effects", kind).toSorted(), kind).toEqual(run.names("wanted", kind).toSorted());
  expect(grouped(run.names("effects", "ordered"))).toEqual(grouped(run.names("wanted", "ordered")));
  const done = grouped(run.names("effects", "keyed"));
  for (const [key, wanted] of Object.entries(grouped(run.names("wanted", "keyed")))) {
    const effects = done[key] ?? [];
    expect(effects.at(-1)).toBe(wanted.at(-1));
    // Each at most once and in order, because one that was replaced has no effect afterwards.
    expect(effects).toEqual(wanted.filter((name) => effects.includes(name)));
  }
}

function checkEvents(run: Run): void {
  const events = run.rows<{ event_id: string; agg_key: string; version: number }>(
    "select event_id, agg_key, version from outbox_events order by id",
  );
  expect(events.length).toBeGreaterThan(10);
  const stored = run.broker.stored("EVENTS").map(({ data }) => decodeEvent(data));
  expect(stored.map(({ eventId }) => eventId).toSorted()).toEqual(events.map(({ event_id }) => event_id).toSorted());
  for (const [key, ofKey] of Object.entries(Object.groupBy(stored, (message) => message.key)))
    expect(ofKey?.map(({ version }) => version)).toEqual(
      events.filter((one) => one.agg_key === key).map(({ version }) => version),
    );
  const expected = ["a.note", "b.note"].flatMap((consumer) => events.map(({ event_id }) => `${consumer} ${event_id}`));
  expect(run.names("effects", "reaction").toSorted()).toEqual(expected.toSorted());
}

function checkLeases(run: Run): void {
  const tokens = run
    .rows<{ token: number }>("select token from effects where kind = 'lease' order by id")
    .map(({ token }) => token);
  expect(tokens.length).toBeGreaterThan(0);
  expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
}

describe("outbox, reactions, tasks, leases and resuming, in a simulation", () => {
  let content: Buffer;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const database = await openTestDatabase("sqlite");
    close = async () => await database.close();
    if (database.dsn.kind !== "sqlite") throw new Error("not SQLite");
    // What was written since is in the log beside the file.
    await database.db.exclusive("test.checkpoint", async ({ connection }) => {
      await connection.execute("pragma wal_checkpoint(truncate)", []);
    });
    content = readFileSync(database.dsn.file);
    // Bytes 18 and 19 say that the file has a write-ahead log, which a database in memory cannot have.
    content.fill(1, 18, 20);
  });
  afterAll(async () => await close());

  test.each(seeds)(
    "seed %i: nothing is lost, nothing happens twice, and every page is up to date",
    { timeout: 60_000 },
    async (seed) => {
      const run = new Run(seed, content);
      try {
        await run.play();
        checkTasks(run);
        checkEvents(run);
        checkLeases(run);
        for (const viewer of run.viewers)
          expect(Object.fromEntries(viewer.shown)).toEqual(
            Object.fromEntries(viewer.rows().map(({ key, version }) => [key, version])),
          );
      } finally {
        run.database.close();
      }
    },
  );

  test("the same seed gives the same run", { timeout: 60_000 }, async () => {
    const traces = [];
    for (let i = 0; i < 2; i += 1) {
      const run = new Run(7, content);
      await run.play();
      traces.push([run.rows("select * from effects"), run.kills, run.viewers.map(({ resumed }) => resumed)]);
      run.database.close();
    }
    expect(traces[0]).toEqual(traces[1]);
  });
});
