import { describe, expect, it, test } from "vitest";
import { type DutyPerson, syncDuty } from "#features/duty/duty.contract.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { countRechecks, settled } from "#testkit/rechecks.ts";
import { silentLog } from "#testkit/silence.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { syncPositions } from "./positions.contract.ts";
import { Duties } from "./positions.duties.service.ts";
import { citizensRead } from "./positions.events.ts";

const token = { token: testSecrets.sync };
let counter = 0;

describeApps("a change of duty", (get) => {
  test("checks only the connections of that person that follow places, and only when duty begins or ends", async () => {
    const { app, world } = get();
    const job = "rechecked";
    const people: TestActor[] = [];
    while (people.length < 6) people.push(await world.actor({ job, grade: 1, rights: { "positions.view": { jobs: {} } } }));
    const open = async (i: number, topic: string) => {
      const client = await TestClient.signedIn(app.process.hub, await world.tokenOf(people[i]!));
      await client.subscribe(topic);
      return client;
    };
    const clients = await Promise.all(people.map(async (_one, i) => await open(i, "positions")));
    clients.push(await open(0, "duty"), await open(0, "positions"));
    const places = people.map(({ licence }) => ({ identifier: `char1:${licence}`, x: 1, y: 1 }));
    const report = async (i: number, event: "on" | "off" | "dropped" | "loaded", grade = 1) => {
      counter += 1;
      const item = { identifier: `char1:${people[i]!.licence}`, event, job, grade, at: Date.now(), key: `rechecked-${counter}` };
      const { body } = await app.call(syncDuty, { body: { source: "rechecked", items: [item] } }, token);
      expect(body).toMatchObject({ accepted: 1 });
    };
    const checks = async (work: () => Promise<void>) => {
      const before = await countRechecks(app);
      await work();
      await settled(clients);
      return (await countRechecks(app)) - before;
    };
    await report(1, "on");
    await app.call(syncPositions, { body: { source: "rechecked", items: places } }, token);
    await settled(clients);

    expect(await checks(async () => await report(0, "on"))).toBe(2);
    expect(await checks(async () => await report(0, "on", 2))).toBe(0);
    expect(await checks(async () => await report(0, "dropped"))).toBe(0);
    expect(await checks(async () => await report(0, "loaded"))).toBe(0);
    expect(await checks(async () => await report(0, "off"))).toBe(2);
    expect(await checks(async () => await report(1, "off"))).toBe(1);
    for (const client of clients) client.leave();
  });
});

describe("who is on duty, in the memory of a process", () => {
  const item = (id: number, version: number, deleted: boolean): DutyPerson => ({
    ...{ id, version, deleted, name: "Mara Lind", since: 1, by: "game", state: "on", seenAt: 1 },
    job: { name: "police", label: "Police", grade: 2, gradeLabel: "Officer" },
  });

  function kept() {
    let now = 1_000_000;
    const touched: [string, boolean][] = [];
    const clock = { now: () => now };
    const state = { touch: (_topic: unknown, key: string, decides: boolean) => touched.push([key, decides]) };
    const duties = new Duties({ clock, state, log: silentLog } as never);
    return { duties, touched, advance: (ms: number) => void (now += ms) };
  }

  it("is forgotten a while after the end of the duty, and an older event brings nobody back until then", () => {
    const { duties, advance } = kept();
    const everybody = Array.from({ length: 300 }, (_, i) => i + 1);
    duties.changed(everybody.map((id) => item(id, 5, false)));
    duties.changed(everybody.map((id) => item(id, 6, true)));
    duties.changed([item(7, 4, false)]);
    expect(duties.of(7)).toBeNull();
    advance(15 * 60_000);
    duties.changed([item(301, 1, false)]);
    expect(duties.size).toBe(1);
  });

  it("touches nothing for what is known, and decides what a person gets only where duty begins or ends", () => {
    const { duties, touched } = kept();
    duties.changed([item(1, 5, false)]);
    duties.changed([item(1, 5, false)]);
    duties.changed([{ ...item(1, 6, false), state: "missing" }]);
    duties.changed([item(1, 7, true)]);
    expect(touched).toEqual([
      ["1", true],
      ["1", false],
      ["1", true],
    ]);
  });

  it("does not depend on what else changes of a character", () => {
    const of = (id: number) => ({ id }) as Parameters<typeof citizensRead>[0]["items"][number];
    const changed = [
      { id: 1, parts: ["playtime" as const] },
      { id: 2, parts: ["playtime" as const, "jobs" as const] },
    ];
    expect([...citizensRead({ items: [of(1), of(2), of(3)], changed })]).toEqual([2, 3]);
  });
});
