import { expect, test } from "vitest";
import { mustAsk } from "#features/absences/absences.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import { insert } from "./colleagues.activity.repo.ts";
import { getJobStatistics } from "./colleagues.contract.ts";
import { write } from "./colleagues.repo.ts";
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

  test("take as many statements for a large job with a long history as for a small one", async () => {
    const { app, world } = get();
    const job = newJob("large");
    const chief = await world.actor({ job, grade: 3, rights: rightsTo("any") });
    await seen(get(), chief, chief.characterId);
    const { db, ports } = app.process.container;
    const units: string[] = [];
    db.observe(({ unit }) => units.push(unit));
    const read = async () => {
      units.length = 0;
      const { output } = await app.call(getJobStatistics, {}, { token: chief.token });
      return { people: output.people, count: units.filter((unit) => unit === getJobStatistics.id).length };
    };
    const small = await read();
    const [now, people, day] = [ports.clock.now(), 2000, 86_400_000];
    const ids = Array.from({ length: people }, (_, at) => 8_000_000 + at);
    const change = JSON.stringify({ v: 1, before: {}, after: { grade: 0 } });
    const happened = { job, grade: 0, actor_id: null, actor_name: null, reason: null, change, game_key: null };
    await db.write("test.large", async (tx) => {
      const empty = {
        job,
        grade: 0,
        name_key: "x",
        since: null,
        left_at: null,
        note: null,
        name_prefix: null,
        name_suffix: null,
      };
      await write(
        tx,
        ids.map((id) => ({ ...empty, citizen_id: id, version: 1 })),
      );
      await insert(
        tx,
        ids.flatMap((id, at) =>
          ["hired", "left", "hired"].map((kind, step) => {
            return { ...happened, citizen_id: id, kind, at: now - (1 + (at % 300) + 3 - step) * day };
          }),
        ),
      );
    });
    const before = performance.now();
    const large = await read();
    expect(performance.now() - before).toBeLessThan(2000);
    expect(large).toEqual({ people: small.people + people, count: small.count });
    expect(small.count).toBeGreaterThan(0);
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
