import assert from "node:assert/strict";
import { call, person } from "../../kit/api.ts";
import type { SetPlace, Settings } from "../../kit/settings.ts";
import { until } from "../../kit/until.ts";
import {
  receiveGrpc,
  receiveHttp,
  type ReceivedSpan,
  receiveNothing,
  type Receiver,
} from "../../../../server/src/infra/telemetry/receiver.testkit.ts";
import type { OptionProof, ProofKit } from "../proof.ts";

const route = "/api/system/client";
const name = `GET ${route}`;

async function received(kit: ProofKit, kind: "http" | "grpc" = "http"): Promise<Receiver> {
  const receiver = kind === "http" ? await receiveHttp() : await receiveGrpc();
  kit.defer(async () => await receiver.close());
  return receiver;
}

const tracing = (receiver: Pick<Receiver, "url">, more: Settings = {}): Settings => ({
  "otlp.enabled": true,
  "otlp.type": "otlptracehttp",
  "otlp.url": receiver.url,
  "otlp.ratio": 1,
  ...more,
});

async function ask(place: Pick<SetPlace, "url">, times = 1): Promise<void> {
  for (let i = 0; i < times; i += 1) assert.equal((await call(place.url, route)).status, 200);
}

/** The span of a request that is made now. */
async function spanOf(place: Pick<SetPlace, "url">, receiver: Receiver): Promise<ReceivedSpan> {
  await ask(place);
  return await receiver.seen((spans) => spans.find((span) => span.name === name));
}

/** The span of a request, from a program with these settings and a collector of its own. */
async function spanWith(kit: ProofKit, settings: Settings): Promise<{ span: ReceivedSpan; receiver: Receiver }> {
  const receiver = await received(kit);
  const { place } = await kit.start(tracing(receiver, settings));
  return { receiver, span: await spanOf(place, receiver) };
}

/** The problems of a start that is refused. */
async function refusal(kit: ProofKit, settings: Settings): Promise<string> {
  const program = kit.launch(await kit.place(settings));
  assert.equal(await program.exited, 78);
  return program.output();
}

const told = async (place: Pick<SetPlace, "url">) => (await call(place.url, route)).body.tracing;
const policyOf = async (place: Pick<SetPlace, "url">) =>
  (await call(place.url, "/", { headers: { accept: "text/html" } })).headers.get("content-security-policy") ?? "";

export const proofs: readonly OptionProof[] = [
  {
    option: "otlp.enabled",
    first: { value: "false", observed: "no span reaches the collector; trace ids are made without one" },
    second: {
      value: "true",
      observed: "the span of a request reaches the collector under the trace id that it was answered with",
    },
    async run(kit) {
      const receiver = await received(kit);
      const [off, on] = await kit.pair(tracing(receiver, { "otlp.enabled": false }), tracing(receiver));
      const first = await call(off.url, route);
      assert.doesNotMatch(first.headers.get("x-trace-id") ?? "", /^[\da-f]{32}$/);
      const second = await call(on.url, route);
      const span = await receiver.seen((spans) => spans.find((one) => one.name === name));
      assert.equal(span.traceId, second.headers.get("x-trace-id"));
      await off.program.stop();
      assert.equal(receiver.spans().filter((one) => one.name === name).length, 1);
    },
  },
  {
    option: "otlp.type",
    first: { value: "stdout", observed: "spans are lines of JSON on standard output" },
    second: {
      value: "otlptracegrpc, otlptracehttp",
      observed: "spans reach a gRPC collector, or an HTTP one, and standard output stays empty",
    },
    async run(kit) {
      const [http, grpc] = [await received(kit), await received(kit, "grpc")];
      const printing = await kit.start(tracing(http, { "otlp.type": "stdout" }));
      await ask(printing);
      const line = await until("a span is printed", () =>
        printing.program
          .stdout()
          .split("\n")
          .find((one) => one.includes(`"span":"${name}"`)),
      );
      assert.equal((JSON.parse(line) as { kind: string }).kind, "server");
      const [byGrpc, byHttp] = await kit.pair(tracing(grpc, { "otlp.type": "otlptracegrpc" }), tracing(http));
      await spanOf(byGrpc, grpc);
      await spanOf(byHttp, http);
      assert.match(grpc.exports[0]?.path ?? "", /TraceService\/Export$/);
      assert.deepEqual([byGrpc.program.stdout(), byHttp.program.stdout()], ["", ""]);
    },
  },
  {
    option: "otlp.url",
    first: { value: '"http://127.0.0.1:PORT"', observed: "spans are posted to /v1/traces there" },
    second: { value: '"http://127.0.0.1:OTHER/otel/in"', observed: "spans are posted to that path of the other collector" },
    async run(kit) {
      const [a, b] = [await received(kit), await received(kit)];
      const [first, second] = await kit.pair(tracing(a), tracing({ url: `${b.url}/otel/in` }));
      await spanOf(first, a);
      await spanOf(second, b);
      assert.deepEqual([a.exports[0]?.path, b.exports[0]?.path], ["/v1/traces", "/otel/in"]);
    },
  },
  {
    option: "otlp.insecure",
    first: { value: "false", observed: "an http:// collector that is not this machine's loopback is refused at the start" },
    second: { value: "true", observed: "spans reach the same collector without TLS" },
    async run(kit) {
      const receiver = await receiveHttp("0.0.0.0");
      kit.defer(async () => await receiver.close());
      const url = `http://0.0.0.0:${receiver.port}`;
      assert.match(
        await refusal(kit, tracing({ url })),
        /otlp\.url {2}\S+ is not encrypted, and otlp\.insecure is false {2}write https:\/\/\S+, or set otlp\.insecure to true/,
      );
      const { place } = await kit.start(tracing({ url }, { "otlp.insecure": true }));
      await spanOf(place, receiver);
    },
  },
  {
    option: "otlp.timeout",
    first: { value: "300ms", observed: "an export to a collector that never answers is given up, and its spans count as failed" },
    second: { value: "10m", observed: "at the same time the export still waits; requests are answered all the while" },
    async run(kit) {
      const nothing = await receiveNothing();
      kit.defer(async () => await nothing.close());
      const [short, long] = await kit.pair(
        tracing(nothing, { "otlp.timeout": "300ms" }),
        tracing(nothing, { "otlp.timeout": "10m" }),
      );
      await Promise.all([ask(short), ask(long)]);
      const failed = /rollcall_tracing_spans_total\{outcome="failed"\} [1-9]/;
      const metricsOf = async (place: SetPlace) => (await call(place.adminUrl, "/metrics")).text;
      await until("both asked the collector", () => nothing.asked() >= 2);
      await until("the short one gave up", async () => failed.test(await metricsOf(short.place)));
      assert.doesNotMatch(await metricsOf(long.place), failed);
      assert.match(await metricsOf(long.place), /rollcall_tracing_waiting_spans [1-9]/);
      await ask(long);
    },
  },
  {
    option: "otlp.environment",
    first: { value: "dev", observed: "spans name the environment dev" },
    second: { value: "production", observed: "spans name the environment production" },
    async run(kit) {
      const [a, b] = await Promise.all([spanWith(kit, {}), spanWith(kit, { "otlp.environment": "production" })]);
      const environment = "deployment.environment.name";
      assert.deepEqual([a.span.resource[environment], b.span.resource[environment]], ["dev", "production"]);
    },
  },
  {
    option: "otlp.ratio",
    first: { value: "0", observed: "of twenty requests none is traced, but one whose caller asks for it" },
    second: { value: "1", observed: "every one of the twenty is traced" },
    async run(kit) {
      const [none, all] = [await received(kit), await received(kit)];
      const [a, b] = await kit.pair(tracing(none, { "otlp.ratio": 0 }), tracing(all));
      await Promise.all([ask(a, 20), ask(b, 20)]);
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      await call(a.url, route, { headers: { traceparent } });
      await all.seen((spans) => spans.filter((span) => span.name === name).length >= 20);
      const asked = await none.seen((spans) => spans.find((span) => span.name === name));
      assert.equal(asked.parentSpanId, "b7ad6b7169203331");
      assert.equal(await a.program.stop(), 0);
      assert.deepEqual(new Set(none.spans().map(({ traceId }) => traceId)), new Set([asked.traceId]));
    },
  },
  {
    option: "otlp.attributes",
    first: { value: "none", observed: "spans carry no further attributes" },
    second: {
      value: '["pod=${HOME}", {key: community, value: Example}]',
      observed: "spans carry both, the first with the value of the environment variable",
    },
    async run(kit) {
      const given = ["pod=${HOME}", { key: "community", value: "Example" }];
      const [a, b] = await Promise.all([spanWith(kit, {}), spanWith(kit, { "otlp.attributes": given })]);
      assert.deepEqual([a.span.resource["pod"], a.span.resource["community"]], [undefined, undefined]);
      assert.deepEqual([b.span.resource["pod"], b.span.resource["community"]], [process.env["HOME"] ?? "", "Example"]);
    },
  },
  {
    option: "otlp.headers",
    first: { value: "none", observed: "exports carry no key" },
    second: { value: "{x-api-key: key-of-the-proof}", observed: "exports by HTTP and by gRPC carry the header" },
    async run(kit) {
      const headers = { "otlp.headers": { "x-api-key": "key-of-the-proof" } };
      const [a, b] = await Promise.all([spanWith(kit, {}), spanWith(kit, headers)]);
      assert.equal(a.receiver.exports[0]?.headers["x-api-key"], undefined);
      assert.equal(b.receiver.exports[0]?.headers["x-api-key"], "key-of-the-proof");
      const grpc = await received(kit, "grpc");
      const { place } = await kit.start(tracing(grpc, { ...headers, "otlp.type": "grpc" }));
      await spanOf(place, grpc);
      assert.equal(grpc.exports[0]?.headers["x-api-key"], "key-of-the-proof");
    },
  },
  {
    option: "otlp.compression",
    first: { value: "none", observed: "exports come as they are" },
    second: { value: "gzip", observed: "exports by HTTP and by gRPC are gzip, with the same spans in them" },
    async run(kit) {
      const gzip = { "otlp.compression": "gzip" };
      const [a, b] = await Promise.all([spanWith(kit, { "otlp.compression": "none" }), spanWith(kit, gzip)]);
      assert.deepEqual([a.receiver.exports[0]?.compressed, b.receiver.exports[0]?.compressed], [false, true]);
      const grpc = await received(kit, "grpc");
      const { place } = await kit.start(tracing(grpc, { ...gzip, "otlp.type": "grpc" }));
      await spanOf(place, grpc);
      assert.equal(grpc.exports[0]?.compressed, true);
    },
  },
  {
    option: "otlp.frontend.url",
    first: { value: "empty", observed: "browsers are told of no collector, and the page may call our own origin alone" },
    second: {
      value: '"https://traces.example.org/v1/traces"',
      observed:
        "browsers are told that address, whose origin the page may call; /otel/in instead is answered by the server, which passes the spans on",
    },
    async run(kit) {
      const receiver = await received(kit);
      const [without, direct] = await kit.pair(
        tracing(receiver),
        tracing(receiver, { "otlp.frontend.url": "https://traces.example.org/v1/traces" }),
      );
      assert.equal(await told(without), null);
      assert.doesNotMatch(await policyOf(without), /connect-src[^;]*https:/);
      assert.equal((await told(direct)).url, "https://traces.example.org/v1/traces");
      assert.match(await policyOf(direct), /connect-src [^;]*https:\/\/traces\.example\.org(?:;| )/);
      const relayed = await kit.start(tracing(receiver, { "otlp.frontend.url": "/otel/in" }));
      assert.equal((await told(relayed)).url, "/otel/in");
      const at = BigInt(Date.now()) * 1_000_000n;
      const times = { startTimeUnixNano: String(at), endTimeUnixNano: String(at + 5_000_000n) };
      const span = { traceId: "1".repeat(32), spanId: "2".repeat(16), name: "from the browser", ...times };
      const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
      assert.equal((await call(relayed.url, "/otel/in", { body })).status, 401);
      const { cookie } = await person(relayed.place, { username: "browsing" });
      assert.equal((await call(relayed.url, "/otel/in", { body, cookie })).status, 200);
      const passed = await receiver.seen((spans) => spans.find((one) => one.name === span.name));
      assert.equal(passed.resource["service.name"], "rollcall-web");
    },
  },
  {
    option: "otlp.frontend.headers",
    first: { value: "none", observed: "browsers are told to send no further headers" },
    second: { value: "{x-community: Example}", observed: "browsers are told to send that one" },
    async run(kit) {
      const receiver = await received(kit);
      const frontend = { "otlp.frontend.url": `${receiver.url}/v1/traces` };
      const [a, b] = await kit.pair(
        tracing(receiver, frontend),
        tracing(receiver, { ...frontend, "otlp.frontend.headers": { "x-community": "Example" } }),
      );
      assert.deepEqual([(await told(a)).headers, (await told(b)).headers], [{}, { "x-community": "Example" }]);
    },
  },
];
