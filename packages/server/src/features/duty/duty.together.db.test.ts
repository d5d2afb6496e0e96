import { describe, expect, it } from "vitest";
import { describeDatabases, type TestDatabase } from "#testkit/database.ts";
import { recordingLog } from "#testkit/silence.ts";
import type { SyncDutyItem } from "./duty.contract.ts";
import { changeJobs, createPeople, DutyWorkers, identifierOf } from "./duty.workers.testkit.ts";

const jobs = ["police", "ambulance", "mechanic"];
const rounds = 12;
const city = 12;
let keys = 0;

const event = (at: number, id: number, more: Partial<SyncDutyItem> = {}): SyncDutyItem => {
  keys += 1;
  return { identifier: identifierOf(id), event: "on", job: "police", at, key: `together-${keys}`, ...more };
};

type Worker = DutyWorkers["next"];
const report = async (worker: Worker, source: string, boot: string | null, items: readonly SyncDutyItem[]) =>
  await worker.reports.sync({} as never, { source, boot, items });

async function rowsOf({ db }: TestDatabase, table: string) {
  return (await db.exclusive("test.rows", async ({ connection }) => await connection.execute(`select * from ${table}`, []))).rows;
}

describeDatabases("duty of calls at the same time", (get) => {
  async function opened() {
    const at = get();
    const log = recordingLog();
    const db = at.open({ log });
    const workers = new DutyWorkers({ ...at, db });
    const people = Array.from({ length: city }, (_none, i) => ({ id: i + 1, licence: `licence${i % 5}`, jobs }));
    await createPeople(at, people);
    await workers.start(2);
    const retries = () => log.lines.filter(({ message }) => message === "retrying a unit of work");
    return { at, db, workers, retries, now: at.clock.now() };
  }

  /** Everything that locks, in the order that is the worst for the others. */
  function everything({ at, db, workers, now }: Awaited<ReturnType<typeof opened>>, round: number): Promise<unknown>[] {
    const [one, two] = [workers.next, workers.next];
    const id = (i: number) => ((round * 5 + i) % city) + 1;
    const boot = `boot${round}`;
    const sign = (i: number) => ({
      citizenId: id(i),
      licence: "",
      job: null,
      named: null,
      grade: 0,
      offDuty: false,
      remove: false,
    });
    const moved = (i: number) => ({ job: jobs[(round + i) % 2]!, at: now + round });
    return [
      report(
        one,
        "alpha",
        boot,
        [9, 2, 5].map((i) => event(now + round, id(i), moved(i))),
      ),
      report(
        two,
        "beta",
        boot,
        [5, 9, 1].map((i) => event(now + round, id(i), moved(i + 1))),
      ),
      report(one, "alpha", boot, [event(now + round, id(3), { event: "loaded", job: null }), event(now + round, id(9))]),
      report(two, "beta", boot, [event(now + round, id(2), { event: "dropped", job: null })]),
      one.signs.seen("alpha", boot, [sign(2), sign(9)]),
      two.signs.flush(),
      one.hand(id(4), true, "mechanic"),
      two.hand(id(9), true, "mechanic"),
      one.hand(id(4), false, "mechanic"),
      changeJobs({ ...at, db }, two, id(5), jobs),
      ...[2, 5, 9].map(async (i) => await db.write("test.due", async (tx) => await one.service.endDue(tx, id(i)))),
      ...["alpha", "beta"].map(async (name) => await db.write("test.check", async (tx) => await two.sources.check(tx, name))),
    ];
  }

  it(`never waits in a circle: nothing is tried again (${rounds} rounds)`, { timeout: 120_000 }, async () => {
    const world = await opened();
    for (let round = 0; round < rounds; round += 1) await Promise.all(everything(world, round));
    await world.workers.stop();
    expect(world.retries()).toEqual([]);
  });

  describe("that are the first ones", () => {
    it("of a person count one after the other", async () => {
      const { at, workers, now } = await opened();
      await report(workers.next, "alpha", null, [event(now, city)]);
      await report(workers.next, "beta", null, [event(now, city)]);
      for (let id = 1; id < city; id += 1) {
        await Promise.all([
          report(workers.next, "alpha", null, [event(now, id)]),
          report(workers.next, "beta", null, [event(now, id, { job: "ambulance" })]),
        ]);
      }
      // Whichever was second ended the duty of the first.
      expect(workers.ended.map(({ citizenId }) => citizenId)).toEqual(Array.from({ length: city - 1 }, (_none, i) => i + 1));
      const versions = (await rowsOf(at, "duty_people")).map((row) => row["version"]);
      expect(versions).toEqual(Array.from({ length: city }, () => 2));
    });

    it("of a source count one after the other", async () => {
      const { at, workers } = await opened();
      const names = Array.from({ length: 8 }, (_none, i) => `city${i}`);
      for (const name of names) {
        const [one, two] = [workers.next, workers.next];
        await Promise.all([one.signs.seen(name, "boot1", []), two.signs.seen(name, "boot2", [])]);
      }
      // One of them was first, so that the other one is a restart.
      expect((await rowsOf(at, "duty_sources")).map((row) => row["boot_count"])).toEqual(names.map(() => 1));
    });
  });

  it("of two game servers with one name are a finding, and neither a restart nor the end of a duty", async () => {
    const { at, workers, now } = await opened();
    const sign = (citizenId: number) => ({
      citizenId,
      licence: "",
      job: "police",
      named: null,
      grade: 0,
      offDuty: false,
      remove: false,
    });
    await report(workers.next, "default", "run1", [event(now, 1)]);
    await report(workers.next, "default", "run2", [event(now, 2)]);
    expect(await workers.next.sources.findings()).toEqual([]);
    for (let i = 0; i < 20; i += 1) {
      await workers.pass(30_000);
      await workers.next.signs.seen("default", "run1", [sign(1)]);
      await workers.next.signs.seen("default", "run2", [sign(2)]);
    }
    expect(await workers.next.sources.findings()).toEqual([
      { id: "duty.sharedSource", state: "warning", params: { source: "default" } },
    ]);
    expect((await rowsOf(at, "duty_sources")).map((row) => row["boot_count"])).toEqual([1]);
    for (const id of [1, 2]) expect(await workers.next.present(id)).toMatchObject({ state: "on", since: now });
    await workers.stop();
  });

  it("of an earlier run that waited are no restart, also when that run is not known any more", async () => {
    const { at, workers, now } = await opened();
    const sign = { citizenId: 1, licence: "", job: "police", named: null, grade: 0, offDuty: false, remove: false };
    await report(workers.next, "alpha", "run2", [event(now, 1)]);
    await workers.pass(30_000);
    await report(workers.next, "alpha", "run1", [event(now - 60_000, 2), event(now - 1, 3, { job: "nowhere" })]);
    await report(workers.next, "alpha", "run1", [event(now - 1, 3, { job: "nowhere" })]);
    expect((await rowsOf(at, "duty_sources")).map((row) => [row["boot"], row["boot_count"]])).toEqual([["run2", 0]]);
    for (let i = 0; i < 12; i += 1) {
      await workers.pass(30_000);
      await workers.next.signs.seen("alpha", "run2", i === 0 ? [sign] : []);
    }
    expect(await workers.next.sources.findings()).toEqual([]);
    for (const id of [1, 2]) expect(await workers.next.present(id)).toMatchObject({ state: "on" });
    await workers.stop();
  });

  it("by hand read the rules of jobs once the person is locked, so that a report at this moment counts", async () => {
    const { db, workers } = await opened();
    const tables: string[] = [];
    const end = db.observe(({ sql }) => void tables.push(...(/duty_(?:people|jobs)/.exec(sql) ?? [])));
    expect(await workers.next.hand(1, true, "police")).toEqual({ refused: false });
    expect(await workers.next.hand(1, false, "police")).toEqual({ refused: false });
    end();
    expect(tables.indexOf("duty_jobs")).toBeGreaterThan(tables.indexOf("duty_people"));
    await workers.stop();
  });

  it("by hand begin beside a duty of a silent game server, which may not be there any more, and of no other", async () => {
    const { at, workers } = await opened();
    await report(workers.next, "alpha", null, [event(at.clock.now(), 1)]);
    expect(await workers.next.hand(1, true, "ambulance")).toEqual({ refused: true });
    await workers.pass(70_000);
    expect(await workers.next.hand(1, true, "ambulance")).toEqual({ refused: false });
    await workers.stop();
  });

  it("of one game server about the person of another, which is silent, show that the duty is uncertain", async () => {
    const { at, db, workers } = await opened();
    await report(workers.next, "alpha", null, [event(at.clock.now(), 1)]);
    await workers.pass(70_000);
    expect((await workers.next.present(1))?.state).toBe("uncertain");
    const before = workers.shown.length;
    await report(workers.next, "beta", null, [event(at.clock.now(), 1, { event: "dropped", job: null })]);
    await workers.next.signs.seen("beta", null, [
      { citizenId: 1, licence: "", job: null, named: null, grade: 0, offDuty: false, remove: false },
    ]);
    await db.write("test.grade", async (tx) => {
      await workers.next.service.jobsChanged(tx, { items: [], changed: [{ id: 1, parts: ["jobs"] }] });
    });
    const states = workers.shown.slice(before).map(({ id, state }) => [id, state]);
    expect(new Set(states.map(String))).toEqual(new Set(["1,uncertain"]));
    await workers.stop();
  });

  it("that end many duties write their periods in one statement", async () => {
    const { at, db, workers, now } = await opened();
    const all = Array.from({ length: city }, (_none, i) => i + 1);
    await report(
      workers.next,
      "alpha",
      null,
      all.map((id) => event(now, id)),
    );
    const statements: string[] = [];
    const end = db.observe(({ sql }) => void statements.push(sql));
    await report(
      workers.next,
      "alpha",
      null,
      all.map((id) => event(now, id, { event: "off", job: null })),
    );
    end();
    expect(statements.filter((one) => /^insert into .duty_periods/i.test(one))).toHaveLength(1);
    const stored = await rowsOf(at, "duty_periods");
    expect(new Map(workers.ended.map((one) => [one.citizenId, one.periodId]))).toEqual(
      new Map(stored.map((row) => [row["citizen_id"], row["id"]])),
    );
  });
});
