import { afterEach, describe, expect, it } from "vitest";
import type { Tracing } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { silentLog } from "#testkit/silence.ts";
import { openTracing, type OpenedTracing, type TracingSettings } from "./index.ts";
import { createMetrics } from "./metrics.ts";
import { maxWaiting } from "./span-queue.ts";
import { receiveGrpc, receiveHttp, receiveNothing } from "./receiver.testkit.ts";

const usual: TracingSettings = {
  enabled: true,
  type: "otlptracehttp",
  url: "",
  timeout: 2000,
  environment: "staging",
  ratio: 1,
  attributes: [
    { key: "region", value: "eu" },
    { key: "community", value: "Los Testos" },
  ],
  headers: { "x-api-key": "key-of-the-test", "x-other": "two" },
  compression: null,
};

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function closeLater<T extends { close(): Promise<unknown> }>(one: T): T {
  ends.push(async () => await one.close());
  return one;
}

async function open(settings: Partial<TracingSettings>, log = silentLog) {
  const metrics = createMetrics({ process: false });
  const parts = { version: "1.2.3", instance: "one", clock: systemClock, log, metrics };
  const opened: OpenedTracing = await openTracing({ ...parts, settings: { ...usual, ...settings } });
  return { ...opened, metrics };
}

async function outer(tracing: Tracing): Promise<string | null> {
  return await tracing.span("outer", { kind: "server", attributes: { one: 1, yes: true, text: "t" } }, async () => {
    await tracing.span("inner", { within: true }, async () => tracing.ended("SELECT x", { ms: 5, kind: "client" }));
    return tracing.traceId();
  });
}

describe.each(["otlptracehttp", "otlptracegrpc"] as const)("%s", (type) => {
  const receive = async () => closeLater(await (type === "otlptracehttp" ? receiveHttp() : receiveGrpc()));

  it.each(["gzip", "none", null] as const)(
    "receives spans with headers, attributes and environment, compression %s",
    async (compression) => {
      const receiver = await receive();
      const { tracing, close } = await open({ type, url: receiver.url, compression });
      const traceId = await outer(tracing);
      await close();
      const [only] = receiver.exports;
      expect(receiver.exports).toHaveLength(1);
      expect(only?.compressed).toBe(compression === "gzip");
      expect(only?.headers).toMatchObject({ "x-api-key": "key-of-the-test", "x-other": "two" });
      const byName = new Map(receiver.spans().map((span) => [span.name, span]));
      const [root, inner, statement] = [byName.get("outer")!, byName.get("inner")!, byName.get("SELECT x")!];
      expect(root).toMatchObject({ traceId, parentSpanId: "", kind: 2, attributes: { one: 1, yes: true, text: "t" } });
      expect(inner).toMatchObject({ traceId, parentSpanId: root.spanId });
      expect(statement).toMatchObject({ traceId, parentSpanId: inner.spanId, kind: 3 });
      expect(statement.endMs - statement.startMs).toBeCloseTo(5, 1);
      expect(root.resource).toMatchObject({
        "service.name": "rollcall",
        "service.version": "1.2.3",
        "deployment.environment.name": "staging",
        region: "eu",
        community: "Los Testos",
      });
    },
  );

  it("records nothing at ratio 0, yet has trace ids, and follows the caller's decision to record", async () => {
    const receiver = await receive();
    const { tracing, close } = await open({ type, url: receiver.url, ratio: 0 });
    expect(await outer(tracing)).toMatch(/^[\da-f]{32}$/);
    const decided = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const seen = await tracing.span("request", { parent: decided }, async () => tracing.traceparent());
    await close();
    expect(seen).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[\da-f]{16}-01$/);
    expect(receiver.spans().map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([["request", "b7ad6b7169203331"]]);
  });

  it("follows the caller's decision not to record at ratio 1", async () => {
    const receiver = await receive();
    const { tracing, close } = await open({ type, url: receiver.url });
    await tracing.span("not kept", { parent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00" }, async () => 1);
    await tracing.span("not a parent", { parent: "00-00000000000000000000000000000000-b7ad6b7169203331-00" }, async () => 1);
    await close();
    expect(receiver.spans().map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([["not a parent", ""]]);
  });

  it("receives spans of browsers", async () => {
    const receiver = await receive();
    const { tracing, close } = await open({ type, url: receiver.url });
    const span = { name: "GET /api/jobs", kind: "client", attributes: { status: 200 }, failed: true } as const;
    const ids = { traceId: "1".repeat(32), spanId: "2".repeat(16), parentSpanId: null };
    tracing.forward([{ ...span, ...ids, startMs: 1_790_000_000_000.5, endMs: 1_790_000_000_010 }]);
    await close();
    expect(receiver.spans()[0]).toMatchObject({
      ...{ name: "GET /api/jobs", traceId: ids.traceId, spanId: ids.spanId, kind: 3, failed: true, attributes: { status: 200 } },
      resource: { "service.name": "rollcall-web", "deployment.environment.name": "staging" },
    });
  });
});

it("adds the default path of an HTTP collector, and keeps a configured one", async () => {
  const receiver = closeLater(await receiveHttp());
  for (const path of ["", "/", "/otel/in"]) {
    const { tracing, close } = await open({ url: receiver.url + path });
    await outer(tracing);
    await close();
  }
  expect(receiver.exports.map(({ path }) => path)).toEqual(["/v1/traces", "/v1/traces", "/otel/in"]);
});

it("sends waiting spans at the stop", async () => {
  const receiver = closeLater(await receiveHttp());
  const { tracing, close } = await open({ url: receiver.url });
  for (let i = 0; i < maxWaiting; i += 1) await tracing.span(`span ${i}`, {}, async () => i);
  await close();
  expect(new Set(receiver.spans().map(({ name }) => name)).size).toBe(maxWaiting);
});

it("records the kind of errors, never their message", async () => {
  const receiver = closeLater(await receiveHttp());
  const { tracing, close } = await open({ url: receiver.url });
  const failing = tracing.span("failing", {}, async () => {
    throw new TypeError("of Mara Lind");
  });
  await expect(failing).rejects.toThrow("Mara");
  await close();
  const [span] = receiver.spans();
  expect(span).toMatchObject({ failed: true, attributes: { "error.type": "TypeError" } });
  expect(JSON.stringify(receiver.spans())).not.toContain("Mara");
});

describe("a collector that hangs", () => {
  it("causes no delays, keeps a bounded number of spans, and does not prevent the process from ending", async () => {
    const nothing = closeLater(await receiveNothing());
    const warnings: object[] = [];
    const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };
    const { tracing, close, metrics } = await open({ url: nothing.url, timeout: 60_000 }, log);
    const wanted = maxWaiting * 3;
    let waited = false;
    setImmediate(() => (waited = true));
    for (let i = 0; i < wanted; i += 1) await tracing.span(`span ${i}`, {}, async () => i);
    // The event loop has not turned: no span waited for the collector, a file or a timer.
    expect(waited).toBe(false);
    const text = await metrics.expose();
    expect(text).toContain(`rollcall_tracing_waiting_spans ${maxWaiting}`);
    expect(text).toContain(`rollcall_tracing_spans_total{outcome="dropped"} ${wanted - maxWaiting}`);
    expect(warnings).toHaveLength(1);
    const stopping = performance.now();
    await close();
    expect(performance.now() - stopping).toBeLessThan(15_000);
  }, 30_000);

  it("loses spans, which are counted", async () => {
    const receiver = await receiveHttp();
    await receiver.close();
    const { tracing, close, metrics } = await open({ url: receiver.url, timeout: 300 });
    await outer(tracing);
    await close();
    expect(await metrics.expose()).toContain('rollcall_tracing_spans_total{outcome="failed"} 3');
    expect(await metrics.expose()).toContain("rollcall_tracing_waiting_spans 0");
  });
});

describe("tracing that is off", () => {
  it("runs the work and records nothing", async () => {
    const { tracing } = await open({ enabled: false });
    expect(await outer(tracing)).toBeNull();
    expect([tracing.enabled, tracing.begin("x", {}), tracing.traceparent()]).toEqual([false, null, null]);
    expect(await tracing.from("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", async () => 7)).toBe(7);
  });
});
