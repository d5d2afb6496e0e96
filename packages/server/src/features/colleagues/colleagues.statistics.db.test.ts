import { expect, test } from "vitest";
import { mustAsk } from "#features/absences/absences.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import { getJobStatistics } from "./colleagues.contract.ts";
import { newJob, rightsTo, seen, sendPerson } from "./colleagues.testkit.ts";

describeApps("statistics of a job", (get) => {
  test("count who came and left from the histories, and who is on leave for those who see it", async () => {
    const { app, world } = get();
    const [job, aside] = [newJob("grown"), newJob("aside")];
    await world.job(job);
    await world.job(aside);
    const chief = await world.actor({ job, grade: 3, rights: rightsTo("any") });
    const other = await world.actor({ job: aside, rights: rightsTo("any") });
    await seen(get(), chief, chief.characterId);
    const recruits = await Promise.all(
      [1, 2, 3].map(async (at) => {
        const identifier = `recruit${at}:${job}`;
        const id = await world.citizen({ identifier, jobs: [{ name: aside, grade: 0 }] });
        await seen(get(), other, id);
        await sendPerson(get(), identifier, job, 0);
        await seen(get(), chief, id);
        return { id, identifier };
      }),
    );
    await sendPerson(get(), recruits[2]!.identifier, aside);
    const statistics = async (token: string) => (await app.call(getJobStatistics, {}, { token })).output;
    await expect.poll(async () => (await statistics(chief.token)).people, { timeout: 20_000 }).toBe(3);
    const found = await statistics(chief.token);
    expect(found).toMatchObject({ people: 3, onLeave: null });
    expect(found.months).toHaveLength(12);
    expect(found.months.at(-1)).toMatchObject({ people: 3, retention: { days30: null, days60: null, days90: null } });
    await mustAsk(get(), chief, [0, 1]);
    await world.grant(job, 3, { "absences.list": true });
    expect((await statistics(await world.tokenOf(chief))).onLeave).toBe(1);
    const plain = await world.actor({ job, rights: { "colleagues.list": true } });
    expect((await app.call(getJobStatistics, {}, { token: plain.token })).status).toBe(403);
  });

  test("look up what happened a year ago by month", async () => {
    const { app, world } = get();
    const job = newJob("years");
    const chief = await world.actor({ job, grade: 3, rights: rightsTo("any") });
    await seen(get(), chief, chief.characterId);
    const now = app.process.container.ports.clock.now();
    const day = 86_400_000;
    const rows: [string, number, number][] = [
      // From here on everything is known, so the month behind it is whole.
      ["left", 900_003, now - 240 * day],
      ["hired", 900_001, now - 200 * day],
      ["hired", 900_002, now - 200 * day],
      ["left", 900_001, now - 150 * day],
      ["note", 900_002, now - 100 * day],
    ];
    await app.process.container.db.exclusive("test.history", async ({ connection }) => {
      for (const [kind, id, at] of rows)
        await connection.execute(
          "insert into colleagues_activities (job, citizen_id, grade, kind, at, `change`) values (?, ?, 0, ?, ?, '{}')",
          [job, id, kind, at],
        );
    });
    const { output } = await app.call(getJobStatistics, {}, { token: chief.token });
    const month = (at: number) => output.months.find((one) => one.month === new Date(at).toISOString().slice(0, 7));
    expect(month(now - 200 * day)).toMatchObject({
      people: 2,
      retention: { days30: { hired: 2, stayed: 2 }, days60: { hired: 2, stayed: 1 }, days90: { hired: 2, stayed: 1 } },
    });
    expect(month(now - 240 * day)).toMatchObject({ hired: null, left: null });
    expect(output.months.reduce((sum, one) => sum + (one.left ?? 0), 0)).toBe(1);
    expect(output.months.at(-1)?.people).toBe(1);
  });
});
