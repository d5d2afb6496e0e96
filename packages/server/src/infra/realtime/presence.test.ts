import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stateFields, StateTable } from "#core/contract/index.ts";
import { presenceTopic } from "#features/realtime/realtime.contract.ts";
import type { Broker } from "#core/ports/index.ts";
import { createTestClock } from "#testkit/clock.ts";
import { embeddedHarness, type Harness, natsHarness, natsReachable } from "../broker/broker.testkit.ts";
import type { RealtimeHub } from "./hub.ts";
import { TestClient, withStream, World } from "./realtime.testkit.ts";

const hasNats = await natsReachable();
const brokers = [
  { name: "embedded", open: embeddedHarness, there: true },
  { name: "nats", open: natsHarness, there: hasNats },
];

/** Names of the people that a client sees online. */
function seenBy(client: TestClient): string[] {
  const table = new StateTable(stateFields(presenceTopic.message));
  for (const frame of client.frames()) table.apply(frame);
  return [...new Set([...table.values.values()].map(({ value }) => String(value["name"])))].toSorted();
}

describe.each(brokers.filter(({ there }) => there))("presence over $name", { timeout: 20_000 }, ({ open }) => {
  let harness: Harness;
  let world: World;
  const clocks = [createTestClock(), createTestClock()];
  let hubs: RealtimeHub[] = [];
  let delivered: () => Promise<void>;
  beforeEach(async () => {
    harness = open();
    world = new World("ann", "bob", "cid");
    world.add("medic", { job: "ambulance" });
    const own = await withStream(await harness.open());
    const brokerOf = async () => (open === embeddedHarness ? own : await harness.open());
    clocks.splice(0, 2, createTestClock(), createTestClock());
    const presence = {
      topic: presenceTopic,
      of: ({ job, characterId, username: name }: { job: string; characterId: number; username: string }) => ({
        key: `${job}/${characterId}`,
        data: { characterId, name, grade: 1 },
      }),
    };
    const bindings = [
      {
        topic: presenceTopic,
        authorize: async ({ job }: { job: string }, key: string | null) =>
          job === key ? { class: "", view: (data: unknown) => data } : null,
      },
    ];
    hubs = [];
    const other = await brokerOf();
    hubs.push(
      await world.hub(own, clocks[0]!, { presence, bindings }),
      await world.hub(other, clocks[1]!, { presence, bindings }),
    );
    let onEcho = () => {};
    own.subscribe("test-delivered", () => onEcho());
    // Arrives after everything that the other process published before.
    const echo = async (from: Broker) => {
      const echoed = new Promise<void>((resolve) => (onEcho = resolve));
      await from.publish("test-delivered", new Uint8Array());
      await echoed;
    };
    // First on the same connection, which proves that the subscription is active.
    await echo(own);
    delivered = async () => await echo(other);
  });
  afterEach(async () => {
    await Promise.all(hubs.map((hub) => hub.close()));
    await harness.dispose();
  });

  /** Lets the processes run until the client sees these names; `only` one process if the other is dead. */
  async function sees(client: TestClient, names: string[], only?: number): Promise<number> {
    const from = clocks[0]!.now();
    while (JSON.stringify(seenBy(client)) !== JSON.stringify(names)) {
      if (clocks[0]!.now() - from > 120_000) expect(seenBy(client)).toEqual(names);
      for (const [i, clock] of clocks.entries()) if (only === undefined || only === i) await clock.advance(250);
      client.send({ type: "ping" });
      await delivered();
    }
    return clocks[0]!.now() - from;
  }

  async function enter(hub: number, name: string): Promise<TestClient> {
    return await TestClient.signedIn(hubs[hub]!, name);
  }

  it("shows colleagues in every process who connects and disconnects, and no one else", async () => {
    const ann = await enter(0, "ann");
    await ann.subscribe("presence/police");
    const bob = await enter(1, "bob");
    await enter(1, "medic");
    await sees(ann, ["ann", "bob"]);
    expect(await ann.subscribe("presence/ambulance")).toBeNull();
    expect(ann.of("refused")).toHaveLength(1);
    bob.leave();
    await sees(ann, ["ann"]);
  });

  it("keeps a viewer online who disconnects from one process and stays in another", async () => {
    const ann = await enter(0, "ann");
    await ann.subscribe("presence/police");
    const [one] = [await enter(0, "bob"), await enter(1, "bob")];
    await sees(ann, ["ann", "bob"]);
    one.leave();
    const cid = await enter(1, "cid");
    await sees(ann, ["ann", "bob", "cid"]);
    cid.leave();
    await sees(ann, ["ann", "bob"]);
  });

  it("drops viewers of a dead process within a bounded time", async () => {
    const ann = await enter(0, "ann");
    await ann.subscribe("presence/police");
    await enter(1, "bob");
    await sees(ann, ["ann", "bob"]);
    expect(await sees(ann, ["ann"], 0)).toBeLessThanOrEqual(36_000);
  });
});
