import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { returnMs } from "#features/colleagues/colleagues.follow.policy.ts";
import type { ColleagueTables } from "#features/colleagues/colleagues.schema.ts";
import { rightsTo, seen, sendPerson } from "#features/colleagues/colleagues.testkit.ts";
import { getColleague } from "#features/colleagues/colleagues.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { closePeriod, getHours, getTeam, listEntries, listPeriodSums } from "./timeclock.contract.ts";
import { endedPeriod, entriesOf, lastDays, newJob, work } from "./timeclock.testkit.ts";

const hour = 3_600_000;
const patience = { timeout: 20_000, interval: 20 };

describeApps("hours of who has left", (get) => {
  const as = ({ token }: TestActor) => ({ token });
  const now = () => Math.floor(get().app.process.container.ports.clock.now() / 1000) * 1000;

  async function worked() {
    const { world } = get();
    const job = newJob("rests");
    await world.job(job, [0, 1, 2]);
    const rights = { "timeclock.view": { whose: ["any"] }, "timeclock.close": true, ...rightsTo("any") } as const;
    const leader = await world.actor({ job, grade: 2, rights });
    const member = await world.actor({ job, grade: 1 });
    await seen(get(), leader, member.characterId);
    const from = now() - 50 * hour;
    await work(get(), { citizenId: member.characterId, job, from, to: from + 2 * hour, ending: "silence" });
    await expect.poll(async () => (await entriesOf(get(), member)).length, patience).toBe(1);
    const identifier = `char1:${member.licence}`;
    const leave = async () => {
      await sendPerson(get(), identifier, "unemployed");
      const found = async () => (await get().app.call(getColleague, { params: { id: member.characterId } }, as(leader))).status;
      await expect.poll(found, patience).toBe(404);
    };
    const comeBack = async () => {
      await sendPerson(get(), identifier, job, 1);
      await seen(get(), leader, member.characterId);
    };
    return { job, leader, member, leave, comeBack };
  }

  const ofTeam = async (leader: TestActor) => {
    const { output } = await get().app.call(getTeam, { query: lastDays(get(), 10) }, as(leader));
    return [output.people.map(({ id, seconds }) => [id, seconds]), output.days.reduce((sum, { seconds }) => sum + seconds, 0)];
  };

  const ofPerson = async (leader: TestActor, { characterId: citizenId }: TestActor) => {
    const range = lastDays(get(), 10);
    const hours = await get().app.call(getHours, { params: { id: citizenId }, query: range }, as(leader));
    const list = await get().app.call(listEntries, { query: { ...range, citizenId } }, as(leader));
    return hours.status === 200 ? [hours.output.seconds, list.output.total] : [hours.status, list.status];
  };

  test("rest, and return with them within 60 days; what was paid stays", async () => {
    const { app } = get();
    const { leader, member, leave, comeBack } = await worked();
    const id = member.characterId;
    expect(await ofTeam(leader)).toEqual([[[id, 7200]], 7200]);
    await leave();
    expect(await ofTeam(leader)).toEqual([[], 0]);
    expect(await ofPerson(leader, member)).toEqual([404, 404]);
    const period = await endedPeriod(get(), leader);
    const params = { id: period.id };
    expect((await app.call(closePeriod, { params, body: { version: period.version } }, as(leader))).status).toBe(200);
    const sums = async () =>
      (await app.call(listPeriodSums, { query: { periodId: period.id } }, as(leader))).output.items.map((one) => [
        one.seconds,
        one.left,
      ]);
    expect(await sums()).toEqual([[7200, true]]);
    await comeBack();
    expect(await ofTeam(leader)).toEqual([[[id, 7200]], 7200]);
    expect(await ofPerson(leader, member)).toEqual([7200, 1]);
    expect(await sums()).toEqual([[7200, false]]);
  });

  test("are history of the job after that, and not of who comes back; what was not paid yet still is", async () => {
    const { app } = get();
    const { leader, member, leave, comeBack } = await worked();
    await leave();
    await app.process.container.db.write("test.longAgo", async (tx) => {
      const left_at = now() - returnMs - 60_000;
      await queries<ColleagueTables>(tx)
        .updateTable("colleagues")
        .set({ left_at })
        .where("citizen_id", "=", member.characterId)
        .execute();
    });
    await comeBack();
    await expect.poll(async () => await ofPerson(leader, member), patience).toEqual([0, 0]);
    expect(await ofTeam(leader)).toEqual([[], 0]);
    const period = await endedPeriod(get(), leader);
    const body = { version: period.version };
    const closed = await app.call(closePeriod, { params: { id: period.id }, body }, as(leader));
    expect(closed.output).toMatchObject({ people: 1, seconds: 7200 });
  });
});
