import { expect, it, test } from "vitest";
import type { Viewer } from "#core/actor.ts";
import { bulkInsert } from "#core/db/index.ts";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { describeDatabases } from "#testkit/database.ts";
import { describeApps } from "#testkit/suite.ts";
import { dutyExport, dutyStatistics } from "./duty.contract.ts";
import { DutyHistory } from "./duty.history.service.ts";
import { dutyPeriods } from "./duty.schema.ts";

const patience = { timeout: 20_000, interval: 20 };
const hour = 3_600_000;
let counter = 0;

interface Span {
  readonly citizen: number;
  readonly job: string;
  readonly from: number;
  readonly to: number;
  readonly proposed?: 0 | 1;
}

const rowOf = ({ citizen, job, from, to, proposed = 0 }: Span) => ({
  ...{ citizen_id: citizen, job, grade: 1, from_at: from, to_at: to, started_by: "game", ending: "off" },
  ...{ estimated: 0 as const, source: null, proposed },
});

describeApps("duties that have ended", (get) => {
  const store = async (spans: readonly Span[]) =>
    await get().app.process.container.db.write("test.periods", async (tx) => {
      await bulkInsert(tx, dutyPeriods, spans.map(rowOf));
    });
  const jobName = () => `history${(counter += 1)}`;

  test("are counted for those who see the duty of the job, without what waits for somebody's word", async () => {
    const { app, world } = get();
    const [job, other] = [jobName(), jobName()];
    const viewer = await world.actor({ job, grade: 1 });
    const outsider = await world.actor({ job: other, grade: 1 });
    const now = app.process.container.ports.clock.now();
    const span = { citizen: viewer.characterId, job, from: now - 30 * hour, to: now - 28 * hour };
    await store([
      span,
      { ...span, proposed: 1 },
      { ...span, job: other },
      { ...span, from: now - 90 * 24 * hour, to: now - 89 * 24 * hour },
    ]);
    const { output } = await app.call(dutyStatistics, { query: {} }, viewer);
    expect(output).toMatchObject({ job, complete: true });
    expect(output.days).toHaveLength(30);
    expect(output.days.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(2 * 3600);
    const refused = await app.call(dutyStatistics, { query: { job } }, outsider);
    expect(refused.body).toMatchObject({ status: 403, code: "duty.otherJob" });
    await world.grant(other, 1, { "duty.view": { jobs: [job] } });
    const seeing = await app.call(dutyStatistics, { query: { job } }, { token: await world.tokenOf(outsider) });
    expect(seeing.output.days).toEqual(output.days.map((one) => ({ ...one, to: expect.any(Number) as number })));
  });

  test("are exported page by page, each once, with their own right and only of jobs that one sees", async () => {
    const { app, world } = get();
    const [job, other] = [jobName(), jobName()];
    const may = { "duty.export": true };
    const actor = await world.actor({ job, grade: 1, rights: may });
    const now = app.process.container.ports.clock.now();
    // Many end at the same instant, where a page may end.
    const many = Array.from({ length: 1203 }, (_none, i) => {
      const to = now - hour - Math.floor(i / 300) * 1000;
      return { citizen: actor.characterId, job, from: to - 61_000, to };
    });
    await store([...many, { ...many[0]!, job: other }]);
    const exporter = new Exporter(get(), actor);
    const { status, output } = await exporter.request(dutyExport, { job });
    expect(status).toBe(200);
    await expect.poll(async () => (await exporter.find(output.id))?.state, patience).toMatch(/done|failed/);
    expect(await exporter.find(output.id)).toMatchObject({ state: "done", rows: 1203, total: 1203 });
    const { text } = await exporter.download(output.id);
    const [header = "", ...lines] = text.replace("\u{FEFF}", "").trimEnd().split("\r\n");
    expect(header).toContain('"Citizen ID","Name","Job","Grade","From","To","Seconds"');
    expect(new Set(lines.map((line) => line.split(",")[0]))).toHaveLength(1203);
    expect(lines[0]).toContain(`CIT-${actor.characterId}`);
    const denied = await exporter.request(dutyExport, { job: other });
    await expect.poll(async () => (await exporter.find(denied.output.id))?.state, patience).toBe("failed");
    expect((await exporter.find(denied.output.id))?.error?.code).toBe("duty.otherJob");
    const without = new Exporter(get(), await world.actor({ job, grade: 0 }));
    expect((await without.request(dutyExport, { job })).status).toBe(403);
  });
});

describeDatabases("the statistic of duty", (get) => {
  it("is one statement that reads an index, however many duties other jobs and months have", async () => {
    const { db, clock } = get();
    const now = clock.now();
    const spans = Array.from({ length: 6000 }, (_none, i) => {
      const to = now - Math.floor(i / 2) * 20 * 60_000;
      return { citizen: i, job: i % 50 === 0 ? "police" : `job${i % 50}`, from: to - hour, to };
    });
    await db.write("test.periods", async (tx) => {
      await bulkInsert(tx, dutyPeriods, spans.map(rowOf));
    });
    const labels = { labels: async () => ({}) as never };
    const viewer = { job: "police", jobAdmin: { reason: "", until: 1 } } as unknown as Viewer;
    const history = new DutyHistory({ db, clock, jobs: labels, zone: "Europe/Berlin", most: 20 });
    const all = new DutyHistory({ db, clock, jobs: labels, zone: "Europe/Berlin" });
    expect(await get().statements.during(async () => void (await all.statistics(viewer, {})))).toBe(1);
    const [cut, whole] = [await history.statistics(viewer, {}), await all.statistics(viewer, {})];
    const sum = ({ days }: typeof cut) => days.reduce((seconds, one) => seconds + one.seconds, 0);
    expect([cut.complete, sum(cut)]).toEqual([false, 20 * 3600]);
    expect(whole.complete).toBe(true);
    const plan = await db.exclusive("test.plan", async ({ connection, engine }) => {
      const select =
        "select from_at, to_at from duty_periods where job = ? and to_at >= ? and to_at <= ? and proposed = 0 order by to_at desc limit 10";
      const explained = await connection.execute(`explain ${engine.kind === "sqlite" ? "query plan " : ""}${select}`, [
        "police",
        1,
        now,
      ]);
      return JSON.stringify(explained.rows);
    });
    expect(plan).toContain("duty_periods_job");
    expect(plan).not.toMatch(/filesort|TEMP B-TREE/);
  });
});
