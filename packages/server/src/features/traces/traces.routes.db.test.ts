import { afterAll, expect, test } from "vitest";
import { receiveHttp } from "#infra/telemetry/receiver.testkit.ts";
import { getCitizen, listCitizens } from "#features/citizens/citizens.contract.ts";
import { createNotice } from "#features/notices/notices.contract.ts";
import { clientConfig } from "#features/system/system.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import { mostSpans, relayTraces } from "./traces.contract.ts";

const receiver = await receiveHttp();
afterAll(async () => await receiver.close());

const span = (at: number, more: object = {}) => ({
  traceId: "1".repeat(32),
  spanId: "2".repeat(16),
  name: "GET /api/jobs",
  startTimeUnixNano: `${at}000000`,
  endTimeUnixNano: `${at + 5}000000`,
  ...more,
});
const body = (...spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] }) as never;

const traced = {
  ROLLCALL_OTLP_ENABLED: "true",
  ROLLCALL_OTLP_TYPE: "http",
  ROLLCALL_OTLP_URL: receiver.url,
  ROLLCALL_OTLP_RATIO: "1",
  ROLLCALL_OTLP_FRONTEND_URL: "/otel/v1/traces",
  ROLLCALL_OTLP_FRONTEND_HEADERS: "x-community=text",
};

describeApps(
  "spans of browsers",
  (get) => {
    test("are forwarded to the collector, also under the path of the configuration", async () => {
      const { app, world } = get();
      const { cookie } = await world.actor({});
      const tracing = (await app.call(clientConfig, {})).output.tracing;
      expect(tracing).toEqual({ url: "/otel/v1/traces", headers: { "x-community": "text" }, ratio: 1, environment: "dev" });
      for (const [path, id] of [
        ["/otel/v1/traces", "a"],
        ["/api/traces", "b"],
      ] as const) {
        const sent = body(span(Date.now(), { spanId: id.repeat(16) }));
        const answer = await app.request("POST", path, { cookie, body: sent });
        expect([answer.status, answer.text]).toEqual([200, "{}"]);
        const arrived = await receiver.seen((spans) => spans.find(({ spanId }) => spanId === id.repeat(16)));
        expect(arrived.resource).toMatchObject({ "service.name": "rollcall-web" });
      }
    });

    test("are only accepted from accounts, and only if valid", async () => {
      const { app, world } = get();
      const { cookie } = await world.actor({});
      const now = Date.now();
      const statusOf = async (sent: never, as: object) => (await app.call(relayTraces, { body: sent }, as)).status;
      expect(await statusOf(body(span(now)), {})).toBe(401);
      for (const wrong of [
        body(span(now, { traceId: "0".repeat(32) })),
        body(span(now, { spanId: "xyz" })),
        body(span(now, { name: "x".repeat(201) })),
        body(span(now, { startTimeUnixNano: "soon" })),
        body(span(now - 7_200_000)),
        body(...Array.from({ length: mostSpans + 1 }, () => span(now))),
        {} as never,
      ])
        expect(await statusOf(wrong, { cookie })).toBe(400);
      const large = body(...Array.from({ length: 90 }, () => span(now, { junk: "x".repeat(2000) })));
      expect(await statusOf(large, { cookie })).toBe(413);
    });
  },
  traced,
);

describeApps(
  "traces of the server",
  (get) => {
    test("follow a request through its units of work and statements, under the trace id of the response", async () => {
      const { app, world, kind } = get();
      const actor = await world.actor({ rights: { "citizens.list": {} } });
      const answer = await app.call(listCitizens, { query: { q: "Secretname" } }, { token: actor.token });
      expect(answer.status).toBe(200);
      const traceId = String(answer.headers["x-trace-id"]);
      const ofTrace = await receiver.seen((spans) => {
        const found = spans.filter((one) => one.traceId === traceId);
        return found.some(({ name }) => name === "GET /api/citizens") && found;
      });
      const root = ofTrace.find(({ name }) => name === "GET /api/citizens")!;
      expect(root).toMatchObject({
        kind: 2,
        parentSpanId: "",
        attributes: { "http.route": "/api/citizens", "http.request.method": "GET", "http.response.status_code": 200 },
      });
      const unit = ofTrace.find(({ name }) => name === "citizens.list")!;
      expect(unit.parentSpanId).toBe(root.spanId);
      const statements = ofTrace.filter(
        (one) => one.attributes["db.query.text"] !== undefined && one.parentSpanId === unit.spanId,
      );
      expect(statements.length).toBeGreaterThan(0);
      expect(statements.every(({ attributes }) => attributes["db.system.name"] === kind)).toBe(true);
      expect(JSON.stringify(receiver.spans()).toLowerCase()).not.toContain("secretname");
    });

    test("have the trace id of the error response, and of a caller with a session; those of unauthenticated clients are only linked", async () => {
      const { app, world } = get();
      const id = "0af7651916cd43dd8448eb211c80319c";
      const headers = { traceparent: `00-${id}-b7ad6b7169203331-01` };
      const { cookie } = await world.actor({});
      const answer = await app.request("GET", "/api/nothing/here", { headers, cookie });
      expect([answer.headers["x-trace-id"], answer.body.traceId]).toEqual([id, id]);
      for (const from of [{ headers }, { headers, cookie: "made-up" }, { headers, token: "made-up" }]) {
        const own = String((await app.request("GET", "/api/nothing/here", from)).body.traceId);
        expect(own).toMatch(/^[\da-f]{32}$/);
        expect(own).not.toBe(id);
        const root = await receiver.seen((spans) =>
          spans.find(({ traceId, parentSpanId }) => traceId === own && parentSpanId === ""),
        );
        expect(root.links).toEqual([id]);
      }
      const refused = await app.request("GET", getCitizen.path.replace(":id", "1"));
      expect(refused.body.traceId).toBe(refused.headers["x-trace-id"]);
      expect(refused.body.traceId).toMatch(/^[\da-f]{32}$/);
    });

    test("continue in the events of a change, to the broker and its consumers", async () => {
      const { app, world } = get();
      const actor = await world.actor({ rights: { "notices.create": { fields: ["public"] } } });
      const notice = { title: "Radio", text: "Channel 3", expiresAt: null, access: { public: true, entries: [] } };
      const answer = await app.call(createNotice, { body: notice }, { token: actor.token });
      expect([answer.status, answer.output.title]).toEqual([200, "Radio"]);
      const traceId = String(answer.headers["x-trace-id"]);
      const sent = await receiver.seen((spans) => spans.find((one) => one.traceId === traceId && one.kind === 4));
      expect(sent.name).toBe("send events.notices.changed");
    });
  },
  traced,
);

describeApps("spans of browsers, switched off", (get) => {
  test("are refused, and browsers get no configuration", async () => {
    const { app, world } = get();
    const { cookie } = await world.actor({});
    const answer = await app.call(relayTraces, { body: body(span(Date.now())) }, { cookie });
    expect([answer.status, answer.body.code]).toEqual([404, "traces.off"]);
    expect((await app.call(clientConfig, {})).output.tracing).toBeNull();
  });
});
