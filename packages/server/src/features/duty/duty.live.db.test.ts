import { expect, test } from "vitest";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { beginDuty, type DutyPerson } from "./duty.contract.ts";

let counter = 0;

describeApps("open pages of who is on duty", (get) => {
  const follow = async ({ token }: Pick<TestActor, "token">, ...topics: string[]) => {
    const client = await TestClient.signedIn(get().app.process.hub, token);
    for (const topic of topics) await client.subscribe(topic);
    return client;
  };
  /** Job and end of each item that arrived of a person. */
  const seenOf = (client: TestClient, id: number) =>
    client
      .events("duty")
      .flatMap(({ data }) => (data as { items: DutyPerson[] }).items)
      .filter((item) => item.id === id)
      .map(({ job, deleted }) => [job.name, deleted]);

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
});
