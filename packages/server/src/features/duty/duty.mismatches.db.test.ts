import { expect, it } from "vitest";
import { describeDatabases } from "#testkit/database.ts";
import type { DutySign } from "./duty.api.ts";
import { createPeople, DutyWorkers, identifierOf } from "./duty.workers.testkit.ts";

const city = 30;

describeDatabases("what the game says of jobs, against what it says of duty", (get) => {
  async function opened() {
    const at = get();
    const workers = new DutyWorkers(at);
    await createPeople(
      at,
      Array.from({ length: city }, (_none, i) => ({ id: i + 1, licence: `mismatch${i}`, jobs: ["police", "ambulance"] })),
    );
    await workers.start(1);
    let keys = 0;
    const on = async (id: number, job = "police") => {
      keys += 1;
      const item = { identifier: identifierOf(id), event: "on" as const, job, at: at.clock.now(), key: `mismatch-${keys}` };
      return await workers.next.reports.sync({} as never, { source: "city", items: [item] });
    };
    /** Positions of one call each 20 seconds, for as long. */
    const places = async (ms: number, signs: readonly DutySign[]) => {
      for (let passed = 0; passed < ms; passed += 20_000) {
        await workers.next.signs.seen("city", null, signs);
        await workers.pass(20_000);
      }
    };
    const findings = async () => (await workers.next.mismatches.findings()).map(({ id, params }) => [id, params]);
    return { at, workers, on, places, findings };
  }
  const sign = (citizenId: number, named: string | null, more: Partial<DutySign> = {}): DutySign => {
    return { citizenId, licence: "", job: named ?? "police", named, grade: 0, offDuty: false, remove: false, ...more };
  };

  it("is one finding for a source when positions go on naming another job, however many people they are", async () => {
    const { at, workers, on, places, findings } = await opened();
    const ids = Array.from({ length: city }, (_none, i) => i + 1);
    for (const id of ids) await on(id);
    const named = (job: string) => ids.map((id) => sign(id, job));
    await places(20_000, named("ambulance"));
    expect(await findings()).toEqual([]);
    let written = 0;
    const end = at.db.observe(({ sql }) => void (written += /insert into .duty_mismatches/i.test(sql) ? 1 : 0));
    await places(300_000, named("ambulance"));
    end();
    expect(await findings()).toEqual([["duty.otherJob", { source: "city", people: city, named: "ambulance", duty: "police" }]]);
    expect(written).toBeLessThanOrEqual(2);
    expect((await workers.next.present(1))?.job.name).toBe("police");
    await places(3_600_000, named("police"));
    expect(await findings()).toEqual([]);
    await workers.stop();
  });

  it("is a finding when positions go on naming the job as off duty, of a source that reports duty by events", async () => {
    const { workers, on, places, findings } = await opened();
    await on(1);
    await places(120_000, [sign(1, "offpolice", { job: "police", offDuty: true })]);
    expect(await findings()).toEqual([["duty.otherJob", { source: "city", people: 1, named: "offpolice", duty: "police" }]]);
    await workers.stop();
  });

  it("is none while both follow each other, and where positions name no job, or another one as off duty", async () => {
    const { workers, on, places, findings } = await opened();
    for (const id of [1, 2, 3]) await on(id, id === 2 ? "ambulance" : "police");
    for (let i = 0; i < 5; i += 1) {
      const other = i % 2 === 0 ? "ambulance" : "police";
      await places(40_000, [sign(1, other), sign(2, null), sign(3, "offambulance", { job: "ambulance", offDuty: true })]);
    }
    expect(await findings()).toEqual([]);
    await workers.stop();
  });

  it("is a finding where the game names a job that the character does not hold, in a position or an event", async () => {
    const { workers, on, places, findings } = await opened();
    await places(120_000, [sign(4, "taxi", { job: null })]);
    expect(await on(5, "mechanic")).toMatchObject({ rejected: [{}] });
    await workers.pass(20_000);
    expect(await findings()).toEqual([["duty.jobNotHeld", { source: "city", people: 2, named: "mechanic" }]]);
    await workers.stop();
  });
});
