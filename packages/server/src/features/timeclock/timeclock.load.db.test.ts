import { expect, test } from "vitest";
import type { Viewer } from "#core/actor.ts";
import { bulkInsert } from "#core/db/index.ts";
import { addDays, weekdayOf, Zone } from "#core/zone.ts";
import { dutyPeriods, dutySilences, dutySources } from "#features/duty/duty.schema.ts";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { changeMembers } from "#features/jobgroups/jobgroups.contract.ts";
import { addGroup } from "#features/jobgroups/jobgroups.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { getLoad, getTeam, loadExport, type TeamLoad } from "./timeclock.contract.ts";
import { cutBehind, pairsOf } from "./timeclock.load.repo.ts";
import { loadSlots } from "./timeclock.load.policy.ts";
import { LoadService } from "./timeclock.load.service.ts";
import { dayParts } from "./timeclock.policy.ts";
import { changeDays } from "./timeclock.days.repo.ts";
import { timeclockEntries } from "./timeclock.schema.ts";
import { newJob } from "./timeclock.testkit.ts";
import { Whose } from "./timeclock.whose.service.ts";

const hour = 3_600_000;
const patience = { timeout: 20_000, interval: 20 };
/** Of the databases of tests. */
const zone = new Zone("Europe/Berlin");
let counter = 1_000_000;

interface Stored {
  readonly citizenId: number;
  readonly job: string;
  readonly from: number;
  readonly to: number;
  readonly state?: "counted" | "proposed";
}

const nextId = () => (counter += 1);

describeApps("the load of a job", (get) => {
  const database = () => get().app.process.container.db;
  const as = ({ token }: TestActor) => ({ token });
  const total = ({ cells }: TeamLoad) => cells.flat().reduce((sum, { seconds }) => sum + seconds, 0);

  /** Entries with the days that they count on. */
  async function store(entries: readonly Stored[]): Promise<void> {
    const rows = entries.map(({ citizenId, job, from, to, state = "counted" }) => ({
      ...{ period_id: nextId(), citizen_id: citizenId, job, grade: 1, from_at: from, to_at: to, started_by: "game" },
      ...{ ending: "off", estimated: 0 as const, state, version: 1, created_at: to },
    }));
    const counted = entries.filter(({ state = "counted" }) => state === "counted");
    const days = counted.flatMap((one) =>
      dayParts(zone, one).map((part) => ({ ...part, citizenId: one.citizenId, job: one.job })),
    );
    await database().write("test.entries", async (tx) => {
      await bulkInsert(tx, timeclockEntries, rows);
      await changeDays(tx, days);
    });
  }

  /** A team, and the week before the last one, which is over and known. */
  async function setting() {
    const { app, world } = get();
    const job = newJob("load");
    await world.job(job, [0, 1, 2]);
    const rights = { "timeclock.view": { whose: ["lower"] }, "jobgroups.manage": true, "jobgroups.members": true } as const;
    const member = await world.actor({ job, grade: 1 });
    const rookie = await world.actor({ job, grade: 0 });
    const chief = await world.actor({ job, grade: 2, rights });
    const today = zone.dayOf(app.process.container.ports.clock.now());
    const firstDay = addDays(today, -weekdayOf(today) - 14);
    const monday = zone.startOf(firstDay);
    // Before this nothing was recorded.
    await store([{ citizenId: 1, job: newJob("other"), from: monday - 20 * 24 * hour, to: monday - 20 * 24 * hour + hour }]);
    return { job, member, rookie, chief, monday, range: { firstDay, lastDay: addDays(firstDay, 6) } };
  }

  test("is who worked when, of those whom the permission covers, and the same as the hours of the team", async () => {
    const { app } = get();
    const { job, member, rookie, chief, monday, range } = await setting();
    const [one, other] = [member.characterId, rookie.characterId];
    await store([
      { citizenId: one, job, from: monday + 9.5 * hour + 1234, to: monday + 12 * hour + 999 },
      { citizenId: other, job, from: monday + 10 * hour, to: monday + 11 * hour },
      { citizenId: other, job, from: monday + 10 * hour, to: monday + 11 * hour, state: "proposed" },
      { citizenId: chief.characterId, job, from: monday - 3 * hour, to: monday + hour },
      { citizenId: one, job, from: monday + 167 * hour, to: monday + 180 * hour },
      { citizenId: one, job: newJob("load"), from: monday, to: monday + 20 * hour },
    ]);
    const asked = await app.call(getLoad, { query: range }, as(chief));
    expect([asked.status, asked.output?.complete, asked.output?.zone]).toEqual([200, true, "Europe/Berlin"]);
    const { cells } = asked.output;
    expect(cells[0]!.slice(9, 13).map(({ people }) => people)).toEqual([0.5, 2, 1, 0]);
    expect([cells[0]![0]!.people, cells[6]![23]!.people]).toEqual([1, 1]);
    const team = await app.call(getTeam, { query: range }, as(chief));
    expect(total(asked.output)).toBe(team.output.days.reduce((sum, { seconds }) => sum + seconds, 0));
    const graded = await app.call(getLoad, { query: { ...range, grade: 0 } }, as(chief));
    expect(total(graded.output)).toBe(3600);
    expect((await app.call(getLoad, { query: range }, as(member))).status).toBe(403);
    const bad = await app.call(getLoad, { query: { firstDay: "2024-01-01", lastDay: "2026-01-01" } }, as(chief));
    expect(bad.body.code).toBe("timeclock.tooManyDays");
  });

  test("knows nothing of hours in which no game server of the job reported, or before the first entry of all", async () => {
    const { app } = get();
    const { job, member, chief, monday, range } = await setting();
    const citizenId = member.characterId;
    await store([{ citizenId, job, from: monday + 8 * hour, to: monday + 12 * hour }]);
    const [own, foreign] = [newJob("city"), newJob("test")];
    const source = {
      sends_events: 1 as const,
      boot: null,
      boot_count: 0,
      boot_since: null,
      boot_from: null,
      earlier_boots: "[]",
    };
    const period = { citizen_id: citizenId, grade: 1, from_at: monday + 8 * hour, to_at: monday + 12 * hour, started_by: "game" };
    await database().write("test.silences", async (tx) => {
      const calls = { last_call_at: monday + 300 * hour, silent_from: null, behind_ms: null };
      await bulkInsert(
        tx,
        dutySources,
        [own, foreign].map((name) => ({ source: name, ...source, ...calls })),
      );
      await bulkInsert(tx, dutyPeriods, [{ ...period, job, ending: "off", estimated: 0, source: own, proposed: 0 }]);
      await bulkInsert(tx, dutySilences, [
        { source: own, from_at: monday + 9 * hour, to_at: monday + 10.5 * hour },
        { source: foreign, from_at: monday, to_at: monday + 24 * hour },
      ]);
    });
    const { output } = await app.call(getLoad, { query: range }, as(chief));
    expect(output.cells[0]!.slice(8, 12).map(({ people, unknown }) => [people, unknown])).toEqual([
      [1, 0],
      [null, 1],
      [null, 1],
      [1, 0],
    ]);
    expect(output.cells.flat().reduce((sum, { unknown }) => sum + unknown, 0)).toBe(2);
    const long = { firstDay: addDays(range.firstDay, -300), lastDay: addDays(range.firstDay, -290) };
    const before = await app.call(getLoad, { query: long }, as(chief));
    expect(before.output.cells.flat().every(({ people, hours }) => people === null && hours === 0)).toBe(true);
  });

  test("is exported with a row for each hour of the week", async () => {
    const { job, member, rookie, chief, monday, range } = await setting();
    await get().world.grant(job, 2, { "timeclock.view": { whose: ["lower"] }, "timeclock.export": true });
    const leader = { ...chief, token: await get().world.tokenOf(chief) };
    await store(
      [member, rookie].map(({ characterId }) => ({ citizenId: characterId, job, from: monday + hour, to: monday + 2 * hour })),
    );
    const exporter = new Exporter(get(), leader);
    const { output } = await exporter.request(loadExport, range);
    await expect.poll(async () => (await exporter.find(output.id))?.state, patience).toBe("done");
    const [, ...rows] = (await exporter.download(output.id)).text.trimEnd().split("\r\n");
    expect(rows).toHaveLength(168);
    expect(rows[1]!.replaceAll('"', "")).toBe("1,1,2,7200,1,0");
  });

  test("and the hours of the team are those of a group whose members the viewer may know", async () => {
    const { app } = get();
    const { job, member, rookie, chief, monday, range } = await setting();
    await store(
      [member, rookie].map(({ characterId }, i) => ({
        ...{ citizenId: characterId, job, from: monday + hour },
        to: monday + (2 + i) * hour,
      })),
    );
    const { id } = await addGroup(get(), chief, { name: newJob("group") });
    const query = { ...range, group: id };
    const answers = async (who: TestActor) =>
      [await app.call(getTeam, { query }, as(who)), await app.call(getLoad, { query }, as(who))] as const;
    const [nobody, nothing] = await answers(chief);
    expect([nobody.output.people, total(nothing.output)]).toEqual([[], 0]);
    const body = { add: [rookie.characterId], remove: [] };
    expect((await app.call(changeMembers, { params: { id }, body }, as(chief))).status).toBe(200);
    const [team, load] = await answers(chief);
    expect(team.output.people).toMatchObject([{ id: rookie.characterId, seconds: 7200 }]);
    expect(total(load.output)).toBe(7200);
    const leader = await get().world.actor({ job, grade: 1 });
    await get().world.grant(job, 1, { "timeclock.view": { whose: ["lower"] } });
    const token = await get().world.tokenOf(leader);
    const refused = async () => {
      for (const answer of await answers({ ...leader, token })) expect(answer.body.code).toBe("jobgroups.notFound");
    };
    await refused();
    // A member sees the group, but not who else is in it.
    const itself = { add: [leader.characterId], remove: [] };
    expect((await app.call(changeMembers, { params: { id }, body: itself }, as(chief))).status).toBe(200);
    await refused();
    const elsewhere = await get().world.actor({ rights: { "timeclock.view": {}, "jobgroups.manage": true } });
    for (const answer of await answers(elsewhere)) expect(answer.body.code).toBe("jobgroups.notFound");
  });

  test("reads a row for each pair of hours, and no more entries than it may", async () => {
    const { job, member, monday, range } = await setting();
    const citizenId = member.characterId;
    await store(
      Array.from({ length: 60 }, (_none, i) => ({
        citizenId,
        job,
        from: monday + i * 60_000,
        to: monday + 2 * hour + i * 60_000,
      })),
    );
    const reach = { any: true, own: true, upTo: null };
    const slots = loadSlots(zone, range, monday + 400 * hour);
    const [cut, none, all, some] = await database().read("test.pairs", async (tx) => [
      await cutBehind(tx, job, slots, 10),
      await cutBehind(tx, job, slots, 60),
      await pairsOf(tx, { job, characterId: citizenId, reach }, slots, slots.from),
      await pairsOf(tx, { job, characterId: citizenId, reach }, slots, monday + 2 * hour + 49 * 60_000),
    ]);
    expect([cut, none]).toEqual([monday + 2 * hour + 49 * 60_000, null]);
    expect([all, some].map((pairs) => pairs.map(({ entries }) => entries))).toEqual([[60], [10]]);
  });

  test("leaves out the first days when there are too many entries, and says from which day on it counts", async () => {
    const { job, member, chief, monday, range } = await setting();
    const entries = [10, 34, 58].map((at) => ({
      citizenId: member.characterId,
      job,
      from: monday + at * hour,
      to: monday + (at + 1) * hour,
    }));
    await store(entries);
    const rights = { has: () => true, attribute: () => ["any"] };
    const viewer = { job, grade: 2, characterId: chief.characterId, rights } as unknown as Viewer;
    const whose = new Whose({ jobgroups: { seesMembers: async () => true } });
    const { clock } = get().app.process.container.ports;
    const duty = { unknown: async () => [] };
    const read = async (most: number) =>
      await new LoadService({ db: database(), clock, duty, zone, whose, most }).load(viewer, range);
    const load = await read(2);
    expect([load.complete, load.firstDay]).toEqual([false, addDays(range.firstDay, 1)]);
    expect([load.cells[0]![10]!.hours, load.cells[1]![10]!.people, load.cells[2]![10]!.people, total(load)]).toEqual([
      0, 1, 1, 7200,
    ]);
    expect((await read(3)).complete).toBe(true);
  });
});
