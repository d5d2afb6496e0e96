import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Type } from "typebox";
import { defineSchedule } from "#core/contract/index.ts";
import { noTracing, type OutgoingRequest, type Tracing } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createOutgoing } from "#infra/outgoing/index.ts";
import { silentLog } from "#testkit/silence.ts";
import { openTracing } from "./index.ts";
import { createMetrics } from "./metrics.ts";
import { receiveHttp, type Receiver } from "./receiver.testkit.ts";
import { tracedBroker, tracedSchedules, tracedOutgoing, tracedTopics } from "./traced.ts";

let receiver: Receiver;
let tracing: Tracing;
let close: () => Promise<void>;
/** The `traceparent` of each request to the test servers, by path. */
const carried = new Map<string, string | undefined>();

const servers = [1, 2].map(() =>
  createServer((request, response) => {
    carried.set(request.url ?? "", request.headers["traceparent"] as string | undefined);
    if (request.url === "/away") response.writeHead(302, { location: `http://other.test:${portOf(1)}/arrived` }).end();
    else response.writeHead(request.url === "/broken" ? 500 : 200).end();
  }).listen(0, "127.0.0.1"),
);
const portOf = (i: number) => (servers[i]!.address() as AddressInfo).port;

/** Every name resolves to this machine, which counts as public. */
const reach = { resolve: async () => [{ address: "127.0.0.1", family: 4 }], isPublic: () => true };

beforeAll(async () => {
  await Promise.all(servers.filter((server) => !server.listening).map((server) => once(server, "listening")));
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
  await close();
  await receiver.close();
  for (const server of servers) server.close();
});

async function request(path: string, from: OutgoingRequest["from"]): Promise<string | undefined> {
  const outgoing = tracedOutgoing(createOutgoing({ clock: systemClock, reach }), tracing);
  await outgoing.request({ url: `http://one.test:${portOf(0)}${path}`, from, headers: { "x-own": "1" } });
  return carried.get(path);
}

it("sends `traceparent` to configured endpoints only", async () => {
  const traceId = await tracing.span("asking", {}, async () => {
    expect(await request("/endpoint", "endpoint")).toMatch(new RegExp(`^00-${tracing.traceId()}-[\\da-f]{16}-01$`));
    expect(await request("/supplied", "supplied")).toBeUndefined();
    expect(await request("/away", "endpoint")).toBeDefined();
    return tracing.traceId();
  });
  expect([carried.has("/arrived"), carried.get("/arrived")]).toEqual([true, undefined]);
  await request("/broken", "endpoint");
  const broken = await receiver.seen((spans) => spans.find((span) => span.attributes["http.response.status_code"] === 500));
  expect(broken).toMatchObject({ kind: 3, failed: true, attributes: { "server.address": "one.test" } });
  expect(JSON.stringify(receiver.spans())).not.toContain("/broken");
  const clientSpans = receiver.spans().filter((span) => span.traceId === traceId && span.kind === 3);
  expect(clientSpans).toHaveLength(3);
});

it("gives each run of a schedule a trace of its own", async () => {
  const schedule = defineSchedule({ id: "x.tidy", payload: Type.Object({}) });
  const seen: (string | null)[] = [];
  const [traced] = tracedSchedules([{ schedule, run: async () => void seen.push(tracing.traceId()) }], tracing);
  const { signal } = new AbortController();
  await traced?.run({}, signal);
  await traced?.run({}, signal);
  const spans = await receiver.seen((all) => {
    const found = all.filter(({ name }) => name === "job x.tidy");
    return found.length === 2 && found;
  });
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set(seen));
  expect(new Set(seen).size).toBe(2);
});

it("costs nothing when it is off: the objects are used unchanged", () => {
  const [broker, outgoing, schedules, topics] = [{}, {}, [], []] as never[];
  expect(tracedBroker(broker!, noTracing)).toBe(broker);
  expect(tracedOutgoing(outgoing!, noTracing)).toBe(outgoing);
  expect(tracedSchedules(schedules!, noTracing)).toBe(schedules);
  expect(tracedTopics(topics!, noTracing)).toBe(topics);
});
