import { afterAll, beforeAll, expect, it } from "vitest";
import { reactTo, type Tracing } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { openTracing } from "#infra/telemetry/index.ts";
import { createMetrics } from "#infra/telemetry/metrics.ts";
import { receiveHttp, type Receiver } from "#infra/telemetry/receiver.testkit.ts";
import { tracedBroker } from "#infra/telemetry/traced.ts";
import { describeDatabases } from "#testkit/database.ts";
import { noMetrics, silentLog } from "#testkit/silence.ts";
import { Collector } from "../broker/broker.testkit.ts";
import { createOutbox, createReactions } from "./index.ts";
import { OutboxFixture, renamed } from "./outbox.testkit.ts";

describeDatabases("events of a traced change", (get) => {
  const at = new OutboxFixture(get);
  let receiver: Receiver;
  let tracing: Tracing;
  let close: () => Promise<void>;

  beforeAll(async () => {
    receiver = await receiveHttp();
    ({ tracing, close } = await openTracing({
      ...{ version: "1", instance: "one", clock: systemClock, log: silentLog, metrics: createMetrics({ process: false }) },
      settings: {
        ...{ enabled: true, type: "otlptracehttp", url: receiver.url, timeout: 2000, environment: "dev", ratio: 1 },
        ...{ attributes: [], headers: {}, compression: null },
      },
    }));
  });
  afterAll(async () => {
    await close?.();
    await receiver?.close();
  });

  it("belong to its trace in the relay and in reactions; untraced changes begin no trace", async () => {
    const { db, clock, ids } = get();
    const broker = tracedBroker(at.broker, tracing);
    const relay = await at.relay({ broker, tracing });
    const got = new Collector<string | null>();
    const handle = async (_tx: unknown, { key }: { key: string }) => got.add(`${key} ${tracing.traceId()}`);
    const reaction = reactTo({ consumer: "a.index", event: renamed, handle });
    const reactions = createReactions({
      tasks: at.tasks,
      db,
      broker,
      tracing,
      log: silentLog,
      metrics: noMetrics,
      reactions: [reaction],
    });
    at.closing.push(reactions);
    await reactions.start();
    const box = createOutbox({ clock, ids, tracing, committed: () => relay.nudge() });
    const traceId = await tracing.span("the change", {}, async () => {
      await at.rename(box, "traced", 1);
      return tracing.traceId();
    });
    await at.rename(box, "untraced", 1);
    await got.count(2);
    expect([...got.items].sort()).toEqual([`traced ${traceId}`, "untraced null"]);
    await close();
    const spans = receiver.spans();
    const change = spans.find(({ name }) => name === "the change");
    expect(spans.map(({ name }) => name).sort()).toEqual(["process people.renamed", "send events.people.renamed", "the change"]);
    for (const span of spans.filter((one) => one !== change))
      expect(span).toMatchObject({ traceId, parentSpanId: change?.spanId });
    const stored = await at.stored();
    expect(stored.map(({ trace }) => trace)).toEqual([expect.stringContaining(traceId ?? "-"), undefined]);
  });
});
