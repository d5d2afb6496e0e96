import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { getProperties, type JobProperties, jobsChanged, listJobs, putProperties } from "./jobs.contract.ts";
import { jobsTopics } from "./jobs.routes.ts";

describeApps("job properties", (get) => {
  let counter = 0;
  async function member(rights: Record<string, true> = {}, more: object = {}) {
    counter += 1;
    const job = `guild${counter}`;
    await get().world.job(job);
    return { job, actor: await get().world.actor({ job, rights, ...more }) };
  }
  const read = async (who: TestActor, job: string) =>
    await get().app.call(getProperties, { params: { job } }, { token: who.token });
  const put = async (who: TestActor, job: string, version: number, properties: Partial<JobProperties>) =>
    await get().app.call(
      putProperties,
      { params: { job }, body: { version, properties: { colour: null, radioFrequency: "", message: "", ...properties } } },
      { token: who.token },
    );

  test("an icon is shown beside the job, stays when it is left out, and is removed by null", async () => {
    const { job, actor } = await member({ "jobs.properties": true });
    const shown = async () =>
      (await get().app.call(listJobs, {}, { token: actor.token })).output.jobs.find(({ name }) => name === job);
    expect((await put(actor, job, 0, { icon: "tabler:shield" })).output.properties.icon).toBe("tabler:shield");
    expect(await shown()).toMatchObject({ icon: "tabler:shield" });
    expect((await put(actor, job, 1, { radioFrequency: "1" })).output.properties.icon).toBe("tabler:shield");
    expect((await put(actor, job, 2, { icon: null })).output.properties.icon).toBeNull();
    expect(await shown()).not.toHaveProperty("icon");
    for (const icon of ["shield", "tabler:", "../x:y", "tabler:Shield", "a:b:c", "tabler:shield\n"])
      expect((await put(actor, job, 3, { icon })).status).toBe(400);
  });

  test("are read by members and written by members with the permission for each part", async () => {
    const { job, actor } = await member({ "jobs.properties": true });
    expect((await read(actor, job)).output).toMatchObject({ version: 0, properties: { colour: null, message: "" } });
    const saved = await put(actor, job, 0, { colour: "#2563eb", radioFrequency: "100.1" });
    expect(saved.output).toMatchObject({ version: 1, properties: { colour: "#2563eb", radioFrequency: "100.1" } });
    const message = await put(actor, job, 1, { colour: "#2563eb", radioFrequency: "100.1", message: "Briefing" });
    expect([message.status, message.body.code]).toEqual([403, "jobs.messageNotAllowed"]);
    const { jobs } = (await get().app.call(listJobs, {}, { token: actor.token })).output;
    expect(jobs.find(({ name }) => name === job)?.colour).toBe("#2563eb");
  });

  test("name the author of the message, who may not change the other fields", async () => {
    const { job, actor } = await member({ "jobs.message": true });
    const saved = await put(actor, job, 0, { message: "Briefing at 20:00" });
    expect(saved.output.message?.by).toMatch(/^Act Or/);
    const refused = await put(actor, job, 1, { message: "Briefing at 20:00", colour: "#000000" });
    expect([refused.status, refused.body.params.permission]).toEqual([403, "jobs.properties"]);
    const stale = await put(actor, job, 0, { message: "Old" });
    expect([stale.status, stale.body.code]).toEqual([409, "jobs.stale"]);
  });

  test("links keep their order, stay when they are left out, and need the permission for the properties", async () => {
    const { job, actor } = await member({ "jobs.properties": true });
    const links = [
      { title: "Handbook", address: "https://handbook.example.org/police?page=1" },
      { title: "Academy", address: "http://academy.example.org" },
    ];
    expect((await put(actor, job, 0, { links })).output.properties.links).toEqual(links);
    expect((await put(actor, job, 1, { radioFrequency: "1" })).output.properties.links).toEqual(links);
    const writer = await member({ "jobs.message": true });
    const refused = await put(writer.actor, writer.job, 0, { links });
    expect([refused.status, refused.body.params.permission]).toEqual([403, "jobs.properties"]);
    for (const address of ["javascript:alert(1)", "//evil.example.org", "https://", "https://a b.example.org", "ftp://a.example"])
      expect((await put(actor, job, 2, { links: [{ title: "Bad", address }] })).status, address).toBe(400);
    const many = Array.from({ length: 21 }, () => links[0]!);
    expect((await put(actor, job, 2, { links: many })).status).toBe(400);
    expect((await put(actor, job, 2, { links: [] })).output.properties.links).toEqual([]);
  });

  test("of another job are refused, except to job admins", async () => {
    const { job } = await member();
    const outsider = await member({ "jobs.properties": true });
    expect((await read(outsider.actor, job)).body.code).toBe("jobs.otherJob");
    expect((await put(outsider.actor, job, 0, { radioFrequency: "1" })).body.code).toBe("jobs.otherJob");
    const { actor: admin } = await member({}, { groups: ["lead"], jobAdmin: true });
    expect((await put(admin, job, 0, { message: "From above", colour: "#112233" })).status).toBe(200);
    expect((await read(admin, "no-such-job")).status).toBe(404);
  });
});

test("a changed look is published to every character, changed properties only to members", async () => {
  const [own, every] = jobsTopics();
  const viewer = { job: "police" } as never;
  expect(await own!.authorize(viewer, "ambulance")).toBeNull();
  expect(await every!.authorize(viewer, null)).not.toBeNull();
  const changed = { type: jobsChanged.id, payload: { names: ["ambulance", "police"] } } as never;
  expect(every!.project!(changed)).toEqual([{ key: null, data: { names: ["ambulance", "police"] } }]);
  expect(own!.project!(changed).map(({ key }) => key)).toEqual(["ambulance", "police"]);
});
