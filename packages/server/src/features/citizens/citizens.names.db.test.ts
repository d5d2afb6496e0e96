import { expect, test } from "vitest";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { getSettings, putSettings, type Settings, settingsHistory, undoSettings } from "#features/settings/settings.contract.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { syncUsers } from "./citizens.contract.ts";

let counter = 0;

describeApps("a job that the settings would make another one, off duty", (get) => {
  async function opened() {
    const { world, app } = get();
    counter += 1;
    const [job, other] = [`road${counter}`, `offroad${counter}`];
    for (const name of [job, other]) await world.job(name);
    const admin = { cookie: (await world.actor({ groups: ["admin"] })).cookie };
    const put = async (jobs: Partial<Settings["jobs"]>, confirmed?: string[]) => {
      const { version, settings } = (await app.call(getSettings, {}, admin)).output;
      const body = { version, settings: { ...settings, jobs: { ...settings.jobs, ...jobs } }, ...(confirmed && { confirmed }) };
      return await app.call(putSettings, { body }, admin);
    };
    const member = async (name: string) => {
      counter += 1;
      const item = { identifier: `char1:names${counter}`, firstName: "Ada", lastName: "Road", jobs: [{ name, grade: 0 }] };
      await app.call(syncUsers, { body: { items: [item] } }, { token: testSecrets.sync });
    };
    const known = async (jobs: Partial<Settings["jobs"]>) =>
      await expect.poll(() => app.process.assembly.api(settingsApi).known().jobs).toMatchObject(jobs);
    return { app, admin, job, other, put, member, known };
  }

  test("is refused while characters have it, naming it and how many, and allowed once it is confirmed", async () => {
    const { job, other, put, member, known } = await opened();
    expect((await put({ notOffDuty: [other] })).status).toBe(200);
    await known({ notOffDuty: [other] });
    for (let i = 0; i < 3; i += 1) await member(other);
    const params = { job: other, members: 3, meant: job };
    const written = get().writes(["auth_sessions"]);
    expect((await put({ notOffDuty: [] })).body).toMatchObject({ status: 409, code: "settings.jobHasMembers", params });
    expect((await put({ notOffDuty: [], offDutyNames: [`${other}:${job}`] })).body).toMatchObject({ params });
    expect((await put({ notOffDuty: [] }, ["elsewhere"])).body).toMatchObject({ params });
    expect(written.tables()).toEqual([]);
    expect((await put({ notOffDuty: [] }, [other])).status).toBe(200);
    await known({ notOffDuty: [] });
  });

  test("or no job at all, is asked about in the same way", async () => {
    const { job, put, member, known } = await opened();
    await member(job);
    const unemployed = ["unemployed", job];
    expect((await put({ unemployed })).body).toMatchObject({ code: "settings.jobNoWork", params: { job, members: 1 } });
    expect((await put({ unemployed }, [job])).status).toBe(200);
    await known({ unemployed });
    expect((await put({ unemployed: ["unemployed"] })).status).toBe(200);
  });

  test("is no question where nobody has it, and an undo is refused like the change", async () => {
    const { app, admin, job, other, put, member, known } = await opened();
    const free = `free${other}`;
    expect((await put({ offDutyNames: [`${free}:${job}`] })).status).toBe(200);
    await put({ offDutyNames: [] });
    await known({ offDutyNames: [] });
    await member(free);
    const [removed] = (await app.call(settingsHistory, {}, admin)).output.revisions;
    const undone = await app.call(undoSettings, { params: { version: removed!.version } }, admin);
    expect(undone.body).toMatchObject({ code: "settings.jobHasMembers", params: { job: free, members: 1, meant: job } });
  });

  test("that the game has sent is a finding until the settings say what it means", async () => {
    const { app, job, other, put, known } = await opened();
    const findings = async () => {
      await app.process.container.db.read("test.jobs", async (tx) => await app.process.assembly.api(jobsApi).list(tx));
      const checks = app.process.assembly.registry.parts("checks").filter(({ id }) => id === "jobs.names");
      const found = (await Promise.all(checks.map(async (check) => await check.run()))).flat();
      return found
        .filter(({ params }) => String(params["jobs"]).includes(`${other} (${job})`))
        .map(({ id, state }) => [id, state]);
    };
    expect(await findings()).toEqual([["jobs.folded", "warning"]]);
    await put({ notOffDuty: [other] });
    await known({ notOffDuty: [other] });
    expect(await findings()).toEqual([]);
    await put({ notOffDuty: [] });
  });
});
