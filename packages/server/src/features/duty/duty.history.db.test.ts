import { CompiledQuery } from "kysely";
import { expect, it, test } from "vitest";
import type { Viewer } from "#core/actor.ts";
import { bulkInsert, queries } from "#core/db/index.ts";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { describeDatabases } from "#testkit/database.ts";
import { describeApps } from "#testkit/suite.ts";
import { dutyExport, dutyStatistics, type SyncDutyItem } from "./duty.contract.ts";
import { statisticsStatement } from "./duty.history.repo.ts";
import { DutyHistory } from "./duty.history.service.ts";
import { dutyPeriods } from "./duty.schema.ts";
import { createPeople, DutyWorkers, identifierOf } from "./duty.workers.testkit.ts";

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

  test("are counted for those with the right who see the duty of the job, without what waits for somebody's word", async () => {
    const { app, world } = get();
    const [job, other] = [jobName(), jobName()];
    const viewer = await world.actor({ job, grade: 1, rights: { "duty.statistics": true } });
    const outsider = await world.actor({ job: other, grade: 1, rights: { "duty.statistics": true } });
    const now = app.process.container.ports.clock.now();
    const span = { citizen: viewer.characterId, job, from: now - 30 * hour, to: now - 28 * hour };
    await store([
      span,
      { ...span, proposed: 1 },
      { ...span, job: other },
      { ...span, from: now - 90 * 24 * hour, to: now - 89 * 24 * hour },
    ]);
    const { output } = await app.call(dutyStatistics, { query: {} }, viewer);
    expect(output).toMatchObject({ job, complete: true, knownDays: 30 });
    expect(output.days).toHaveLength(30);
    expect(output.days.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(2 * 3600);
    expect(output.people).toEqual([{ id: viewer.characterId, name: expect.any(String) as string, seconds: 2 * 3600 }]);
    const refused = await app.call(dutyStatistics, { query: { job } }, outsider);
    expect(refused.body).toMatchObject({ status: 403, code: "duty.notVisible" });
    const without = await app.call(dutyStatistics, { query: {} }, await world.actor({ job, grade: 0 }));
    expect(without.status).toBe(403);
    await world.grant(other, 1, { "duty.view": { jobs: [job] } });
    const seeing = await app.call(dutyStatistics, { query: { job } }, { token: await world.tokenOf(outsider) });
    expect(seeing.output.people).toEqual(output.people);
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
    expect((await exporter.find(denied.output.id))?.error?.code).toBe("duty.notVisible");
    const without = new Exporter(get(), await world.actor({ job, grade: 0 }));
    expect((await without.request(dutyExport, { job })).status).toBe(403);
  });
});

describeDatabases("the statistic of duty", (get) => {
  const viewer = { job: "police", jobAdmin: { reason: "", until: 1 } } as unknown as Viewer;
  const historyOf = (most?: number) => {
    const { db, clock } = get();
    const labels = { labels: async () => ({}) as never };
    return new DutyHistory({ db, clock, jobs: labels, zone: "Europe/Berlin", ...(most === undefined ? {} : { most }) });
  };

  it("is read once for all who ask for it within some seconds, and only for who sees the job", async () => {
    const { statements } = get();
    const history = historyOf();
    const other = { ...viewer, jobAdmin: null, job: "taxi", rights: { has: () => false } } as unknown as Viewer;
    statements.reset();
    const all = await Promise.all(Array.from({ length: 20 }, async () => await history.statistics(viewer, {})));
    expect(new Set(all.map((one) => JSON.stringify(one)))).toHaveLength(1);
    await history.statistics(viewer, { job: "police" });
    const ran = statements.events.filter(({ sql }) => sql.includes("duty_periods"));
    expect(ran).toHaveLength(1);
    await expect(history.statistics(other, { job: "police" })).rejects.toMatchObject({ definition: { code: "duty.notVisible" } });
  });

  it("knows nothing from duties that wait for somebody's word, however long ago they were", async () => {
    const { clock } = get();
    await createPeople(get(), [{ id: 1, licence: "past", jobs: ["police"] }]);
    const workers = new DutyWorkers(get());
    await workers.start(1);
    const at = clock.now() - 20 * 24 * hour;
    const item = { identifier: identifierOf(1), event: "past" as const, job: "police", at, endedAt: at + hour, key: "past-1" };
    const result = await workers.next.reports.sync({} as never, { source: "past", items: [item] });
    expect(result).toMatchObject({ accepted: 1 });
    const { knownDays, hours } = await historyOf().statistics(viewer, {});
    expect([knownDays, hours.flat().filter((one) => one !== null)]).toEqual([0, []]);
    await workers.stop();
  });

  it("is four statements, however many duties other jobs and months have; what is over is read by indexes", async () => {
    const { db, clock, statements } = get();
    const now = clock.now();
    const spans = Array.from({ length: 6000 }, (_none, i) => {
      const to = now - Math.floor(i / 2) * 20 * 60_000;
      return { citizen: i, job: i % 50 === 0 ? "police" : `job${i % 50}`, from: to - hour, to };
    });
    await db.write("test.periods", async (tx) => {
      await bulkInsert(tx, dutyPeriods, spans.map(rowOf));
    });
    statements.reset();
    const whole = await historyOf().statistics(viewer, {});
    const ran = statements.events.map(({ sql }) => sql);
    expect(ran).toHaveLength(4);
    const cut = await historyOf(20).statistics(viewer, {});
    const sum = ({ days }: typeof cut) => days.reduce((seconds, one) => seconds + one.seconds, 0);
    expect([cut.complete, sum(cut)]).toEqual([false, 20 * 3600]);
    expect(whole.complete).toBe(true);
    const steps = await db.read("test.plan", async (tx) => {
      const { sql: text, parameters } = statisticsStatement(tx, { job: "police", from: 1, to: now }, 10).compile();
      // What is explained is what ran.
      expect(text).toBe(ran[0]);
      const explain = db.kind === "sqlite" ? "explain query plan" : "explain";
      const { rows } = await queries(tx).executeQuery<Record<string, unknown>>(
        CompiledQuery.raw(`${explain} ${text}`, [...parameters]),
      );
      return rows.map((row) => (db.kind === "sqlite" ? String(row["detail"]) : JSON.stringify(row)));
    });
    const ofPeriods = steps.filter((step) => step.includes("duty_periods"));
    expect(ofPeriods.join("\n")).toContain("duty_periods_job");
    expect(ofPeriods.join("\n")).toContain("duty_periods_first");
    expect(steps.join("\n")).not.toMatch(/filesort|TEMP B-TREE|SCAN duty_p\w+\b(?! USING)|"table":"duty_p\w+","type":"ALL"/);
  });

  it("counts duties that run up to now, and of people who are not there up to their last sign of life", async () => {
    const { clock } = get();
    await createPeople(
      get(),
      [1, 2].map((id) => ({ id, licence: `runs-${id}`, jobs: ["police"] })),
    );
    const workers = new DutyWorkers(get());
    await workers.start(1);
    const report = async (items: readonly Pick<SyncDutyItem, "event">[], ...ids: number[]) => {
      const at = clock.now();
      const filled = ids.flatMap((id) =>
        items.map(({ event }) => ({ identifier: identifierOf(id), event, job: "police", at, key: `${event}-${id}-${at}` })),
      );
      await workers.next.reports.sync({} as never, { source: "runs", items: filled });
    };
    const seconds = async () => (await historyOf().statistics(viewer, {})).people.map(({ id, seconds: sum }) => [id, sum]);
    await report([{ event: "on" }], 1, 2);
    await clock.advance(40_000);
    await report([{ event: "dropped" }], 2);
    await clock.advance(20_000);
    expect(await seconds()).toEqual([
      [1, 60],
      [2, 40],
    ]);
    await workers.stop();
  });

  it("knows nothing of the time in which the game server was silent, also after it speaks again", async () => {
    const { clock } = get();
    await createPeople(get(), [{ id: 1, licence: "silent", jobs: ["police"] }]);
    const workers = new DutyWorkers(get());
    await workers.start(1);
    const report = async (event: "on" | "off") => {
      const item = { identifier: identifierOf(1), event, job: "police", at: clock.now(), key: `${event}-${clock.now()}` };
      await workers.next.reports.sync({} as never, { source: "silent", items: [item] });
    };
    const known = async () => {
      const { days } = await historyOf().statistics(viewer, {});
      return days.reduce((sum, { knownSeconds }) => sum + knownSeconds, 0);
    };
    await report("on");
    const begun = clock.now();
    await workers.pass(3 * hour);
    // Before the silence only the quarter of an hour in which the duty began may be known, and of the hours after it nothing.
    expect(await known()).toBeLessThanOrEqual(900);
    await report("on");
    await report("off");
    const back = clock.now();
    for (const _hour of [1, 2, 3, 4]) {
      await clock.advance(50_000);
      await report("off");
    }
    await clock.advance(50_000);
    expect(clock.now() - begun).toBeGreaterThan(3 * hour);
    // The quarter of an hour in which it spoke again may be known or not, by where that lies in it.
    expect(await known()).toBeLessThanOrEqual(900 + (clock.now() - back) / 1000);
    await workers.stop();
  });

  it("and places know when a game server called last, and whether it is silent", async () => {
    const { clock, db } = get();
    const workers = new DutyWorkers(get());
    await workers.start(1);
    const last = async () => await db.read("test.last", async (tx) => await workers.next.service.api.lastReport(tx));
    expect(await last()).toBeNull();
    const at = clock.now();
    await workers.next.reports.sync({} as never, { source: "last", items: [] });
    expect(await last()).toEqual({ at, isSilent: false });
    await workers.pass(5 * 60_000);
    expect(await last()).toEqual({ at, isSilent: true });
    await workers.stop();
  });
});
