import { describe, expect, it } from "vitest";
import type { BrowserSpan } from "./traces.contract.ts";
import { browserTracing, foreignSpan, relays } from "./traces.policy.ts";

const now = 1_790_000_000_000;
const nano = (ms: number) => `${ms}000000`;
const span: BrowserSpan = {
  traceId: "1".repeat(32),
  spanId: "2".repeat(16),
  name: "GET /api/jobs",
  kind: 3,
  startTimeUnixNano: nano(now - 40),
  endTimeUnixNano: nano(now),
};
const options = { enabled: true, ratio: 0.5, environment: "dev", frontend: { url: "/api/traces", headers: { "x-a": "b" } } };

describe("a span of a browser", () => {
  it("is converted", () => {
    const attributes = [
      { key: "text", value: { stringValue: "a" } },
      { key: "digits", value: { intValue: "12" } },
      { key: "number", value: { intValue: 0 } },
      { key: "part", value: { doubleValue: 0.5 } },
      { key: "no", value: { boolValue: false } },
      { key: "nothing", value: {} },
    ];
    expect(foreignSpan({ ...span, attributes, status: { code: 2 } }, now)).toEqual({
      ...{ traceId: span.traceId, spanId: span.spanId, parentSpanId: null, name: span.name, kind: "client" },
      ...{ startMs: now - 40, endMs: now, failed: true },
      attributes: { text: "a", digits: 12, number: 0, part: 0.5, no: false },
    });
  });

  it.each([
    ["ends before it begins", { startTimeUnixNano: nano(now + 1) }],
    ["is too old", { startTimeUnixNano: nano(now - 3_700_000) }],
    ["is in the future", { endTimeUnixNano: nano(now + 3_700_000) }],
    ["has no valid time", { startTimeUnixNano: "99999999999999999999", endTimeUnixNano: "99999999999999999999" }],
  ])("is refused when it %s", (_what, times) => {
    expect(foreignSpan({ ...span, ...times }, now)).toBeNull();
  });
});

describe("browsers", () => {
  it("get the destination of their spans, with headers and ratio", () => {
    expect(browserTracing(options)).toEqual({ url: "/api/traces", headers: { "x-a": "b" }, ratio: 0.5, environment: "dev" });
    expect(browserTracing({ ...options, enabled: false })).toBeNull();
    expect(browserTracing({ ...options, frontend: { url: null, headers: {} } })).toBeNull();
  });

  it("send spans through the server only if the destination is a path", () => {
    const to = (url: string | null, enabled = true) => relays({ ...options, enabled, frontend: { url, headers: {} } });
    expect([to("/api/traces"), to("/otel"), to("https://t.example/v1"), to(null), to("/api/traces", false)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
