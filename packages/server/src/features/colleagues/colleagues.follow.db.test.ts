import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { cancelAbsence } from "#features/absences/absences.contract.ts";
import { ask } from "#features/absences/absences.testkit.ts";
import { syncUsersDelete } from "#features/citizens/citizens.contract.ts";
import { jobgroupsApi } from "#features/jobgroups/jobgroups.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { type TestApp, testSecrets } from "#testkit/app.ts";
import { type AppUnderTest, describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { changeLabels, getColleague, listActivity, listColleagues, putColleague } from "./colleagues.contract.ts";
import { returnMs } from "./colleagues.follow.policy.ts";
import { Activities } from "./colleagues.activity.service.ts";
import { FollowService } from "./colleagues.follow.service.ts";
import * as repo from "./colleagues.repo.ts";
import type { ColleagueTables } from "./colleagues.schema.ts";
import { addLabel, newJob, rightsTo, seen, sendPerson } from "./colleagues.testkit.ts";

const soon = { timeout: 20_000 };

/** Fills in so many citizens at a time, when the test says so. */
function followWith({ process: { container, assembly } }: TestApp, chunk: number): FollowService {
  const jobs = assembly.api(jobsApi);
  const { db } = container;
  const tasks = { enqueue: async () => "" };
  const jobgroups = assembly.api(jobgroupsApi);
  return new FollowService({
    ...container.ports,
    db,
    tasks,
    jobs,
    jobgroups,
    activities: new Activities({ ...container.ports, db, jobs }),
    moves: { doersOf: async () => new Map() },
    chunk,
  });
}

/** Ids of everybody whom the viewer's list shows. */
async function listed({ app }: AppUnderTest, { token }: TestActor): Promise<number[]> {
  return (await app.call(listColleagues, { query: {} }, { token })).output.items.map(({ id }) => id);
}

describeApps("the people of a job", (get) => {
  async function chiefOf(job: string): Promise<TestActor> {
    await get().world.job(job);
    const chief = await get().world.actor({ job, grade: 3, rights: rightsTo("any") });
    await seen(get(), chief, chief.characterId);
    return chief;
  }

  /** What the activities say of a citizen, the newest first. */
  async function happened({ token }: TestActor, citizenId: number) {
    const { output } = await get().app.call(listActivity, { query: { citizenId } }, { token });
    return output.items.map(({ kind, before, after }) => [kind, before.grade ?? null, after.grade ?? null]);
  }

  test("follow the game: hired, promoted, demoted, left", async () => {
    const { world } = get();
    const job = newJob("follow");
    const chief = await chiefOf(job);
    const identifier = `follow:${job}`;
    const aside = newJob("aside");
    const other = await chiefOf(aside);
    const id = await world.citizen({ identifier, jobs: [{ name: aside, grade: 0 }] });
    // Whom the game hires before Rollcall has seen them elsewhere was there before, as far as anybody knows.
    await seen(get(), other, id);
    await sendPerson(get(), identifier, job, 1);
    await seen(get(), chief, id);
    for (const [grade, count] of [
      [2, 2],
      [0, 3],
    ] as const) {
      await sendPerson(get(), identifier, job, grade);
      await expect.poll(async () => (await happened(chief, id)).length, soon).toBe(count);
    }
    await sendPerson(get(), identifier, "unemployed");
    await expect.poll(async () => await listed(get(), chief), soon).toEqual([chief.characterId]);
    expect(await happened(chief, id)).toEqual([
      ["left", 0, null],
      ["demoted", 2, 0],
      ["promoted", 1, 2],
      ["hired", null, 1],
    ]);
    expect((await get().app.call(getColleague, { params: { id } }, { token: chief.token })).status).toBe(404);
  });

  test("who is in a job when the game names them first was hired before", async () => {
    const { app, world } = get();
    const job = newJob("first");
    const chief = await chiefOf(job);
    const id = await world.citizen({ jobs: [{ name: job, grade: 1 }] });
    await seen(get(), chief, id);
    expect(await happened(chief, id)).toEqual([]);
    expect((await app.call(getColleague, { params: { id } }, { token: chief.token })).output.since).toBeNull();
  });

  test("are absent in the activities, from whom and when, and never with the kind or the reason", async () => {
    const { app, world } = get();
    const job = newJob("absent");
    const chief = await chiefOf(job);
    const member = await world.actor({ job, grade: 1 });
    await seen(get(), chief, member.characterId);
    const { output } = await ask(get(), member, [0, 3], { reason: "Surgery at Pillbox" });
    const query = { citizenId: member.characterId, kind: "absence" } as const;
    const found = async () => await app.call(listActivity, { query }, { token: chief.token });
    await expect.poll(async () => (await found()).output.items, soon).toHaveLength(1);
    await app.call(cancelAbsence, { params: { id: output.id }, body: { version: 1 } }, { token: member.token });
    await expect.poll(async () => (await found()).output.items, soon).toHaveLength(2);
    const answer = await found();
    const days = { firstDay: output.firstDay, lastDay: output.lastDay };
    const actor = { id: member.characterId };
    expect(answer.output.items).toMatchObject([
      { kind: "absence", actor, reason: null, before: days, after: {} },
      { kind: "absence", actor, reason: null, before: {}, after: days },
    ]);
    expect(answer.text).not.toContain("Pillbox");
  });

  test("are those off duty as well, and nobody is unemployed", async () => {
    const { world } = get();
    const job = newJob("duty");
    const chief = await chiefOf(job);
    const id = await world.citizen({ jobs: [{ name: `off${job}`, grade: 1 }] });
    await seen(get(), chief, id);
    const jobless = await world.actor({ job: "unemployed", grade: 0, rights: { "colleagues.list": true } });
    expect(await listed(get(), jobless)).toEqual([]);
    await sendPerson(get(), `dutyless:${job}`, `off${job}`, 1);
    await expect.poll(async () => (await listed(get(), chief)).length, soon).toBe(3);
  });

  test("have their note and labels again when they come back in time, and none later", async () => {
    const { app, world } = get();
    const job = newJob("back");
    const chief = await chiefOf(job);
    const as = { token: chief.token };
    const identifier = `back:${job}`;
    const id = await world.citizen({ identifier, jobs: [{ name: job, grade: 1 }] });
    await seen(get(), chief, id);
    const read = async () => (await app.call(getColleague, { params: { id } }, as)).output;
    const { version } = await read();
    await app.call(putColleague, { params: { id }, body: { version, reason: "x", note: "Stays", suffix: "FTO" } }, as);
    const label = await addLabel(get(), chief, "Training");
    await app.call(changeLabels, { body: { reason: "x", changes: [{ id, label: label.id, given: true }] } }, as);

    const leave = async () => {
      await sendPerson(get(), identifier, "unemployed");
      await expect.poll(async () => await listed(get(), chief), soon).not.toContain(id);
    };
    const comeBack = async () => {
      await sendPerson(get(), identifier, job, 0);
      await seen(get(), chief, id);
      return await read();
    };
    await leave();
    expect(await comeBack()).toMatchObject({ note: "Stays", suffix: "FTO", labels: [{ name: "Training" }] });

    await leave();
    await get().app.process.container.db.write("test.longAgo", async (tx) => {
      const since = { left_at: app.process.container.ports.clock.now() - returnMs - 60_000 };
      await queries<ColleagueTables>(tx).updateTable("colleagues").set(since).where("citizen_id", "=", id).execute();
    });
    expect(await comeBack()).toMatchObject({ note: null, suffix: null, labels: [] });
  });

  test("whom the game deleted have left, and are removed with what rested when the time is over", async () => {
    const { app, world } = get();
    const job = newJob("gone");
    const chief = await chiefOf(job);
    const identifier = `gone:${job}`;
    const id = await world.citizen({ identifier, jobs: [{ name: job, grade: 1 }] });
    await seen(get(), chief, id);
    const label = await addLabel(get(), chief, "Training");
    const body = { reason: "x", changes: [{ id, label: label.id, given: true }] };
    await app.call(changeLabels, { body }, { token: chief.token });
    await app.call(syncUsersDelete, { body: { identifiers: [identifier] } }, { token: testSecrets.sync });
    await expect.poll(async () => await listed(get(), chief), soon).toEqual([chief.characterId]);
    const { db, ports } = app.process.container;
    const rows = async (table: "colleagues" | "colleagues_given") =>
      await db.read("test.rows", async (tx) => {
        const found = queries<ColleagueTables>(tx).selectFrom(table);
        return table === "colleagues"
          ? (
              await found
                .select("version" as never)
                .where("citizen_id" as never, "=", id as never)
                .execute()
            ).length
          : (
              await found
                .select("label_id" as never)
                .where("label_id" as never, "=", label.id as never)
                .execute()
            ).length;
      });
    const prune = async (before: number) => await db.write("test.prune", async (tx) => await repo.removeLeft(tx, before, 500));
    await prune(ports.clock.now() - returnMs);
    expect([await rows("colleagues"), await rows("colleagues_given")]).toEqual([1, 1]);
    await prune(ports.clock.now() + 1);
    expect([await rows("colleagues"), await rows("colleagues_given")]).toEqual([0, 0]);
  });

  test("who were there before this feature are filled in by chunks, once", async () => {
    const { app, world } = get();
    const job = newJob("before");
    const chief = await chiefOf(job);
    const ids: number[] = [];
    for (let i = 0; i < 3; i++) ids.push(await world.citizen({ jobs: [{ name: job, grade: i }] }));
    for (const id of ids) await seen(get(), chief, id);
    const { db } = app.process.container;
    await db.write("test.empty", async (tx) => {
      await queries<ColleagueTables>(tx).deleteFrom("colleagues").where("job", "=", job).execute();
      await queries<ColleagueTables>(tx).deleteFrom("colleagues_fill").execute();
      await queries<ColleagueTables>(tx).insertInto("colleagues_fill").values({ id: 1, after_id: 0, done_at: null }).execute();
    });
    expect(await listed(get(), chief)).toEqual([]);
    const follow = followWith(app, 2);
    let chunks = 0;
    for (; chunks < 1000 && !(await db.read("test.filled", repo.isFilled)); chunks++)
      await db.write("test.fill", async (tx) => await follow.fill(tx));
    expect(chunks).toBeGreaterThan(2);
    expect((await listed(get(), chief)).toSorted()).toEqual([chief.characterId, ...ids].toSorted());
    await db.write("test.fill", async (tx) => await follow.fill(tx));
    await db.write("test.fill", async (tx) => await follow.keep(tx, ids));
    expect((await listed(get(), chief)).length).toBe(4);
    expect(await happened(chief, ids[0]!)).toEqual([]);
  });
});
