import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Broker } from "#core/ports/index.ts";
import { bytes, Collector, embeddedHarness, type Harness, natsHarness, natsReachable } from "./broker.testkit.ts";

const stream = { name: "EVENTS", subjects: ["events.>"], maxAgeMs: 3_600_000, duplicateWindowMs: 60_000 };
const adapters = [
  { name: "embedded", run: true, harness: embeddedHarness },
  { name: "nats", run: await natsReachable(), harness: natsHarness },
].filter(({ run }) => run);

describe.each(adapters)("a stream of another generation ($name)", ({ harness: make }) => {
  let harness: Harness;
  let broker: Broker;
  beforeEach(async () => {
    harness = make();
    broker = await harness.open();
  });
  afterEach(async () => await harness.dispose());

  it("is deleted with its messages and created again, once", async () => {
    await broker.ensureStream(stream);
    await broker.append("events.x", bytes("old"), { id: "one" });
    const before = await broker.streamInfo("EVENTS");
    await broker.ensureStream({ ...stream, generation: "A1" });
    const first = await broker.streamInfo("EVENTS");
    expect(first).toMatchObject({ first: 1, last: 0 });
    expect(first.epoch).not.toBe(before.epoch);
    // The same id is not a duplicate: events sent before the restore may be sent again.
    expect(await broker.append("events.x", bytes("again"), { id: "one" })).toEqual({ seq: 1, duplicate: false });
    await broker.ensureStream({ ...stream, generation: "A1" });
    await broker.ensureStream(stream);
    expect(await broker.streamInfo("EVENTS")).toEqual({ ...first, last: 1 });
    await broker.ensureStream({ ...stream, generation: "B2" });
    const second = await broker.streamInfo("EVENTS");
    expect([second.last, second.epoch === first.epoch]).toEqual([0, false]);
  });

  it("resets a reader whose position is invalid", async () => {
    await broker.ensureStream(stream);
    const resets = new Collector<string>();
    const got = new Collector<string>();
    const options = { start: "all", onReset: (_info: unknown, reason: string) => resets.add(reason) } as const;
    await broker.consume("EVENTS", options, async (message) => got.add(message.id));
    await broker.append("events.x", bytes("old"), { id: "one" });
    expect(await got.count(1)).toEqual(["one"]);
    await broker.ensureStream({ ...stream, generation: "A1" });
    await broker.append("events.x", bytes("new"), { id: "two" });
    expect(await got.count(2)).toEqual(["one", "two"]);
    expect(resets.items).toEqual(["epoch"]);
  });
});
