import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { listScheduled, runScheduled } from "./scheduler.contract.ts";

const job = "notices.purge";

describeApps("scheduled jobs", (get) => {
  test("are listed with schedule, next run and what became of the last ones", async () => {
    const { app, world } = get();
    const admin = await world.actor({ groups: ["admin"] });
    const { output } = await app.call(listScheduled, {}, { cookie: admin.cookie });
    const found = output.jobs.find(({ id }) => id === job);
    expect(found?.schedule).toBe("41 4 * * *");
    expect(found?.next).toBeGreaterThan(Date.now());
    expect(output.jobs.length).toBeGreaterThan(2);
  });

  test("run once when asked, at once, with a trace; asked again meanwhile they say so", async () => {
    const { app, world } = get();
    const admin = await world.actor({ groups: ["admin"] });
    const { cookie } = admin;
    const runs = async () => (await app.call(listScheduled, {}, { cookie })).output.jobs.find(({ id }) => id === job)?.runs ?? [];
    const before = (await runs()).length;
    const asked = performance.now();
    const answers = await Promise.all([1, 2].map(async () => await app.call(runScheduled, { params: { job } }, { cookie })));
    const codes = answers.map(({ status }) => status).sort();
    expect([
      [204, 204],
      [204, 409],
    ]).toContainEqual(codes);
    const wanted = codes.filter((code) => code === 204).length;
    for (;;) {
      const done = (await runs()).filter(({ outcome }) => outcome === "done");
      if (done.length >= wanted) break;
      expect(performance.now() - asked).toBeLessThan(5000);
    }
    expect((await runs()).length).toBeLessThanOrEqual(before + wanted + 1);
    expect(performance.now() - asked).toBeLessThan(2000);
    const { rows } = await app.process.parts.db.exclusive(
      "test",
      async ({ connection }) =>
        await connection.execute("select actor_name from audit_entries where action = 'scheduler.run' and actor_name = ?", [
          admin.username,
        ]),
    );
    expect(rows.length).toBe(wanted);
  });

  test("that do not exist are not found", async () => {
    const { app, world } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    const answer = await app.call(runScheduled, { params: { job: "nothing.here" } }, { cookie });
    expect([answer.status, answer.body.code]).toEqual([404, "scheduler.jobUnknown"]);
  });
});
