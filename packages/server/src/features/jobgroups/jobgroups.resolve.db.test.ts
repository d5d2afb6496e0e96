import { expect, test } from "vitest";
import type { StatementEvent } from "#infra/db/unit.ts";
import { dayFromNow } from "#testkit/days.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { jobgroupsApi } from "./jobgroups.api.ts";
import { changeLeaders, changeMembers, exclude, getGroup, listGroups, putGroup, resolvePerson } from "./jobgroups.contract.ts";
import { putExclusion } from "./jobgroups.members.repo.ts";
import { addGroup, allRights, contentOf, fromGrade, idsIn, newJob, sendPeople } from "./jobgroups.testkit.ts";

const soon = { timeout: 60_000 };
const as = ({ token }: Pick<TestActor, "token">) => ({ token });

describeApps("who is in job groups", (get) => {
  async function chiefOf(job: string) {
    await get().world.job(job, [0, 1, 2, 3]);
    return await get().world.actor({ job, grade: 3, rights: allRights });
  }

  const counts = async (chief: TestActor) =>
    (await get().app.call(listGroups, {}, as(chief))).output.items.map(({ members }) => members);

  async function rows<T>(sql: string, read: (row: Record<string, unknown>) => T): Promise<T[]> {
    return await get().app.process.container.db.exclusive("test.rows", async ({ connection }) => {
      return (await connection.execute(sql, [])).rows.map((row) => read(row));
    });
  }

  test("costs after a change of one person as much with 5,000 people as with five", { timeout: 240_000 }, async () => {
    const { app } = get();
    const { assembly, container } = app.process;
    const seen: StatementEvent[] = [];
    container.db.observe((event) => void (event.unit === "test.person" && seen.push(event)));
    async function measured(people: number) {
      const job = newJob("many");
      const chief = await chiefOf(job);
      const names = Array.from({ length: people }, (_, i) => `${job}:${i}`);
      await sendPeople(
        get(),
        names.map((identifier, i) => ({ identifier, job, grade: i % 3 })),
      );
      const low = await addGroup(get(), chief, { name: "Low", membership: "rule", rules: [fromGrade(0, 1)] });
      await addGroup(get(), chief, { name: "All", membership: "both", rules: [fromGrade(2)], contains: [low.id] });
      await expect
        .poll(async () => await counts(chief), soon)
        .toEqual([Math.ceil(people / 3) + Math.floor((people + 1) / 3), people + 1]);
      const [id] = await rows(`select id from citizens where identifier = '${names[0]}'`, (row) => Number(row["id"]));
      const params = { id: low.id, citizenId: id! };
      await container.db.write("test.exclude", async (tx) => {
        const rule = { group_id: low.id, citizen_id: id!, job, reason: "a test", ends_at: null, added_by: null, added_at: 1 };
        await putExclusion(tx, rule);
      });
      seen.length = 0;
      await container.db.write(
        "test.person",
        async (tx) => await assembly.api(jobgroupsApi).peopleChanged(tx, job, [params.citizenId]),
      );
      expect(await counts(chief)).toEqual([Math.ceil(people / 3) + Math.floor((people + 1) / 3) - 1, people]);
      return { statements: seen.map(({ sql }) => sql), rows: seen.reduce((sum, event) => sum + event.rows, 0) };
    }
    const small = await measured(5);
    const large = await measured(5000);
    expect(large).toEqual(small);
    expect(large.statements.length).toBeLessThan(20);
    expect(large.rows).toBeLessThan(30);
  });

  test("follows the grade, and ends with the job by hand and as leader, although a rule would let them stay", async () => {
    const { app } = get();
    const job = newJob("leaving");
    const chief = await chiefOf(job);
    const identifier = `${job}:1`;
    await sendPeople(get(), [{ identifier, job, grade: 0 }]);
    const [id] = await rows(`select id from citizens where identifier = '${identifier}'`, (row) => Number(row["id"]));
    const byGrade = await addGroup(get(), chief, { name: "A", membership: "rule", rules: [fromGrade(1, 2)] });
    const byHand = await addGroup(get(), chief, { name: "B" });
    const body = { add: [id!], remove: [] };
    await app.call(changeMembers, { params: { id: byHand.id }, body }, as(chief));
    await app.call(changeLeaders, { params: { id: byHand.id }, body }, as(chief));
    expect(await counts(chief)).toEqual([0, 1]);
    await sendPeople(get(), [{ identifier, job, grade: 1 }]);
    await expect.poll(async () => await idsIn(get(), chief, byGrade.id), soon).toEqual([id]);
    const leaders = async () => (await app.call(getGroup, { params: { id: byHand.id } }, as(chief))).output.leaders.length;
    expect(await leaders()).toBe(1);
    await sendPeople(get(), [{ identifier, job: "unemployed" }]);
    await expect.poll(async () => [...(await counts(chief)), await leaders()], soon).toEqual([0, 0, 0]);
    await sendPeople(get(), [{ identifier, job, grade: 1 }]);
    await expect.poll(async () => await counts(chief), soon).toEqual([1, 0]);
    expect(await leaders()).toBe(0);
  });

  test("is computed again in batches after a change of rules, and when an exclusion ends", async () => {
    const { app } = get();
    const job = newJob("batches");
    const chief = await chiefOf(job);
    const people = Array.from({ length: 1203 }, (_, i) => ({ identifier: `${job}:${i}`, job, grade: i % 3 }));
    await sendPeople(get(), people);
    const group = await addGroup(get(), chief, { membership: "rule", rules: [fromGrade(0, 0)] });
    await expect.poll(async () => await counts(chief), soon).toEqual([401]);
    const change = { ...contentOf(group), rules: [fromGrade(1, 2)], version: group.version };
    await app.call(putGroup, { params: { id: group.id }, body: change }, as(chief));
    await expect.poll(async () => await counts(chief), soon).toEqual([802]);
    const [id] = await idsIn(get(), chief, group.id);
    const until = dayFromNow(get(), 1);
    const excluded = await app.call(
      exclude,
      { params: { id: group.id, citizenId: id! }, body: { reason: "Injured", until } },
      as(chief),
    );
    expect([excluded.status, await counts(chief)]).toEqual([200, [801]]);
    const planned = await rows(`select payload, due_at from worker_tasks where kind = '${resolvePerson.id}'`, (row) => ({
      ...(JSON.parse(String(row["payload"])) as { job: string; citizenId: number }),
      dueAt: Number(row["due_at"]),
    }));
    const task = planned.find((one) => one.citizenId === id)!;
    const ends = await rows(`select ends_at from jobgroups_exclusions where group_id = ${group.id}`, (row) =>
      Number(row["ends_at"]),
    );
    expect([excluded.output.until, ...ends]).toEqual([until, task.dueAt]);
    const handler = app.process.assembly.tasks.find((one) => one.task.id === resolvePerson.id);
    if (!handler || !("apply" in handler)) throw new Error("nothing ends exclusions");
    await app.process.container.db.write("test.due", async (tx) => {
      await handler.apply(tx, { id: "test", payload: { job, citizenId: id! }, dueAt: task.dueAt, attempt: 1 });
    });
    expect(await counts(chief)).toEqual([802]);
  });
});
