import { expect, test } from "vitest";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { beginDuty, type DutyPerson, putDutyRules, syncDuty } from "./duty.contract.ts";

let counter = 0;

describeApps("open pages of who is on duty", (get) => {
  const follow = async ({ token }: Pick<TestActor, "token">, ...topics: string[]) => {
    const client = await TestClient.signedIn(get().app.process.hub, token);
    for (const topic of topics) await client.subscribe(topic);
    return client;
  };
  /** Job and end of the items that arrived of a person, but of those that only differ in something else, such as the name. */
  const seenOf = (client: TestClient, id: number) =>
    client
      .events("duty")
      .flatMap(({ data }) => (data as { items: DutyPerson[] }).items)
      .filter((item) => item.id === id)
      .map(({ job, deleted }) => [job.name, deleted])
      .filter((one, i, all) => JSON.stringify(one) !== JSON.stringify(all[i - 1]));

  test("lose who goes on duty in a job that they do not see, and learn nothing of that one", async () => {
    const { app, world } = get();
    counter += 1;
    const [one, two] = [`liveone${counter}`, `livetwo${counter}`];
    for (const job of [one, two]) await world.job(job);
    const who = await world.actor({ job: one, grade: 1 });
    const jobs = [one, two].map((name) => ({ name, grade: 1 }));
    const item = { identifier: `char1:${who.licence}`, firstName: "Ada", lastName: "Live", jobs };
    await app.call(syncUsers, { body: { items: [item] } }, { token: testSecrets.sync });
    const [before, after] = [await world.actor({ job: one, grade: 1 }), await world.actor({ job: two, grade: 1 })];
    const both = await world.actor({ job: one, grade: 2, rights: { "duty.view": { jobs: [two] } } });
    const clients = [await follow(before, "duty"), await follow(after, "duty"), await follow(both, "duty")];
    const begin = async (job: string) =>
      expect((await app.call(beginDuty, { body: { job } }, { token: await world.tokenOf(who) })).status).toBe(200);
    await begin(one);
    await begin(two);
    await expect
      .poll(() => clients.map((client) => seenOf(client, who.characterId)))
      .toEqual([
        [
          [one, false],
          [one, true],
        ],
        [[two, false]],
        [
          [one, false],
          [two, false],
        ],
      ]);
    const received = JSON.stringify(clients[0]!.messages());
    expect(received).not.toContain(two);
    for (const client of clients) client.leave();
  });

  test("learn when the rules of a job change, and when a game server begins to report its duty", async () => {
    const { app, world } = get();
    counter += 1;
    const job = `ruledlive${counter}`;
    const leader = await world.actor({ job, grade: 2, rights: { "duty.manage": true } });
    const client = await follow(await world.actor({ job, grade: 1 }), "dutyRules");
    const received = () => client.events("dutyRules").map(({ data }) => (data as { job: string }).job);
    const put = { params: { job }, body: { version: 0, byHand: "untilSource" as const } };
    expect((await app.call(putDutyRules, put, leader)).status).toBe(200);
    await expect.poll(received).toEqual([job]);
    const report = async () => {
      counter += 1;
      const item = { identifier: `char1:${leader.licence}`, event: "on" as const, job, at: Date.now(), key: `rules-${counter}` };
      await app.call(syncDuty, { body: { source: "rules", items: [item] } }, { token: testSecrets.sync });
    };
    await report();
    await expect.poll(received).toEqual([job, job]);
    await report();
    const { rows } = await app.process.container.db.exclusive(
      "test.audit",
      async ({ connection }) =>
        await connection.execute("select actor_kind, action from audit_entries where object_kind = 'job' and object_id = ?", [
          job,
        ]),
    );
    const of = (name: string) => rows.filter(({ action }) => action === name);
    expect(of("duty.putRules")).toHaveLength(1);
    expect(of("duty.gameReports")).toHaveLength(1);
    const marker = `${job}last`;
    const other = await world.actor({ job: marker, grade: 2, rights: { "duty.manage": true } });
    expect((await app.call(putDutyRules, { ...put, params: { job: marker } }, other)).status).toBe(200);
    await expect.poll(received).toContain(marker);
    expect(received()).toEqual([job, job, marker]);
    client.leave();
  });
});
