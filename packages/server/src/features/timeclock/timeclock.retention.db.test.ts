import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { days } from "#core/contract/index.ts";
import { addDays, Zone } from "#core/zone.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { closePeriod, getHours, getPeriod, getTeam, listEntries, listInactive, listPeriodSums } from "./timeclock.contract.ts";
import { removeEntries } from "./timeclock.repo.ts";
import type { TimeclockTables } from "./timeclock.schema.ts";
import { endedPeriod, newJob, work } from "./timeclock.testkit.ts";

const zone = new Zone("Europe/Berlin");
const patience = { timeout: 20_000, interval: 20 };

describeApps("entries whose time is over", (get) => {
  const as = ({ token }: TestActor) => ({ token });

  test("leave all sums as they are: those of days, of the team and of closed pay periods", async () => {
    const { app, world } = get();
    const job = newJob("old");
    await world.job(job, [0, 1, 2]);
    const rights = { "timeclock.view": { whose: ["any"] }, "timeclock.close": true } as const;
    const leader = await world.actor({ job, grade: 2, rights });
    const { characterId: citizenId } = await world.actor({ job, grade: 1 });
    const now = app.process.container.ports.clock.now();
    const from = now - days(400);
    await work(get(), { citizenId, job, from, to: from + 7_200_000, ending: "silence" });
    const day = zone.dayOf(from);
    const range = { firstDay: addDays(day, -5), lastDay: addDays(day, 5) };
    const entries = async () => (await app.call(listEntries, { query: { ...range, citizenId } }, as(leader))).output.total;
    await expect.poll(entries, patience).toBe(1);
    const period = await endedPeriod(get(), leader);
    await app.process.container.db.write("test.then", async (tx) => {
      const then = { first_day: range.firstDay, last_day: range.lastDay, from_at: zone.startOf(range.firstDay) };
      await queries<TimeclockTables>(tx).updateTable("timeclock_periods").set(then).where("id", "=", period.id).execute();
    });
    const params = { id: period.id };
    expect((await app.call(getPeriod, { params }, as(leader))).output.preview).toMatchObject({ people: 1, seconds: 7200 });
    expect((await app.call(closePeriod, { params, body: { version: period.version } }, as(leader))).status).toBe(200);
    const sums = async () => [
      (await app.call(getHours, { params: { id: citizenId }, query: range }, as(leader))).output,
      (await app.call(getTeam, { query: range }, as(leader))).output,
      (await app.call(getPeriod, { params }, as(leader))).output,
      (await app.call(listPeriodSums, { query: { periodId: period.id } }, as(leader))).output,
    ];
    const before = await sums();
    expect(before).toMatchObject([
      { seconds: 7200 },
      { people: [{ seconds: 7200 }] },
      { period: { seconds: 7200 } },
      { total: 1 },
    ]);
    await app.process.container.db.write("test.removed", async (tx) => await removeEntries(tx, now - days(365), 500));
    expect(await entries()).toBe(0);
    expect(await sums()).toEqual(before);
    const { output } = await app.call(listInactive, { query: {} }, as(leader));
    expect(output.people.find(({ id }) => id === citizenId)?.workedAt ?? null).not.toBeNull();
  });
});
