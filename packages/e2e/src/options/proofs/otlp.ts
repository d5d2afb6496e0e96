import assert from "node:assert/strict";
import { call, person } from "@rollcall/testkit/api.ts";
import type { ConfiguredInstance, Settings } from "@rollcall/testkit/settings.ts";
import { until } from "@rollcall/testkit/until.ts";
import {
  receiveGrpc,
  receiveHttp,
  type ReceivedSpan,
  receiveNothing,
  type Receiver,
} from "@rollcall/testkit/server/telemetry.ts";
import type { OptionProof, ProofKit, Stage } from "../proof.ts";

const route = "/api/system/client";
const name = `GET ${route}`;

async function received(kit: Pick<ProofKit, "defer">, kind: "http" | "grpc" = "http"): Promise<Receiver> {
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

async function ask(instance: Pick<ConfiguredInstance, "url">, times = 1): Promise<void> {
  for (let i = 0; i < times; i += 1) assert.equal((await call(instance.url, route)).status, 200);
}

/** Makes a request and returns its span. */
async function spanOf(instance: Pick<ConfiguredInstance, "url">, receiver: Receiver): Promise<ReceivedSpan> {
  await ask(instance);
  return await receiver.seen((spans) => spans.find((span) => span.name === name));
}

/** The collectors that the options of the group share: two by HTTP, of which `otlp.url` names one, and one by gRPC. */
const collectorsOf = async (stage: Stage) =>
  await stage.once(
    "collectors",
    async () => [await received(stage), await received(stage), await received(stage, "grpc")] as const,
  );

/** The span and the export of a request in this start: the same for all options. */
const exportOf = async (stage: Stage) =>
  await stage.once(`export of ${stage.program.child.pid}`, async () => await exportNow(stage));

async function exportNow(
  stage: Stage,
): Promise<{ readonly span: ReceivedSpan; readonly sent: Receiver["exports"][number]; readonly receiver: Receiver }> {
  const receivers = await collectorsOf(stage);
  const receiver = receivers.find(({ url }) => String(stage.settings["otlp.url"]).startsWith(url))!;
  const { headers } = await call(stage.url, route);
  const id = headers.get("x-trace-id");
  const span = await receiver.seen((spans) => spans.find((one) => one.name === name && one.traceId === id));
  return { span, sent: receiver.exports.at(-1)!, receiver };
}

/** An option of traces; the third setting, if there is one, goes to the gRPC collector and has the second value too. */
const traced = (
  settings: readonly [Settings, Settings],
  observe: (seen: Awaited<ReturnType<typeof exportOf>>, value: number) => void,
  byGrpc = false,
) => ({
  group: "traces",
  async play(stage: Stage) {
    const [, , grpc] = await collectorsOf(stage);
    return {
      settings: byGrpc ? [...settings, { ...settings[1], "otlp.type": "otlptracegrpc", "otlp.url": grpc.url }] : settings,
      async observe(value: number) {
        if (stage.settings["otlp.type"] !== "stdout") observe(await exportOf(stage), value);
      },
    };
  },
});

/** The problems of a start that is refused. */
async function refusal(kit: ProofKit, settings: Settings): Promise<string> {
  const program = kit.launch(await kit.instance(settings));
  assert.equal(await program.exited, 78);
  return program.output();
}

const browserSettings = async (instance: Pick<ConfiguredInstance, "url">) => (await call(instance.url, route)).body.tracing;
const policyOf = async (instance: Pick<ConfiguredInstance, "url">) =>
  (await call(instance.url, "/setup", { headers: { accept: "text/html" } })).headers.get("content-security-policy") ?? "";

/** The server passes on the spans of signed-in browsers. */
async function relays(stage: Stage, receiver: Receiver): Promise<void> {
  const at = BigInt(Date.now()) * 1_000_000n;
  const times = { startTimeUnixNano: String(at), endTimeUnixNano: String(at + 5_000_000n) };
  const span = { traceId: "1".repeat(32), spanId: "2".repeat(16), name: "from the browser", ...times };
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
  assert.equal((await call(stage.url, "/otel/in", { body })).status, 401);
  const { cookie } = await stage.person("browsing");
  assert.equal((await call(stage.url, "/otel/in", { body, cookie })).status, 200);
  const passed = await receiver.seen((spans) => spans.find((one) => one.name === span.name));
  assert.equal(passed.resource["service.name"], "rollcall-web");
}

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
    group: "traces",
    async play(stage) {
      const [http, , grpc] = await collectorsOf(stage);
      const on = { "otlp.enabled": true, "otlp.ratio": 1 };
      return {
        alone: true,
        settings: [
          { ...on, "otlp.type": "otlptracehttp" },
          { ...on, "otlp.type": "otlptracegrpc", "otlp.url": grpc.url },
          { ...on, "otlp.type": "stdout", "otlp.url": http.url },
        ],
        async observe(value) {
          const { program } = stage;
          if (value === 2) {
            await ask(stage);
            const line = await until("a span is printed", () =>
              program
                .stdout()
                .split("\n")
                .find((one) => one.includes(`"span":"${name}"`)),
            );
            assert.equal((JSON.parse(line) as { kind: string }).kind, "server");
          } else if (stage.settings["otlp.type"] !== "stdout") {
            const { receiver, sent } = await exportOf(stage);
            if (value === 1) assert.match(sent.path, /TraceService\/Export$/);
            assert.equal(receiver === grpc, stage.settings["otlp.type"] === "otlptracegrpc");
            assert.equal(program.stdout(), "");
          }
        },
      };
    },
  },
  {
    option: "otlp.url",
    first: { value: '"http://127.0.0.1:PORT"', observed: "spans are posted to /v1/traces there" },
    second: { value: '"http://127.0.0.1:OTHER/otel/in"', observed: "spans are posted to that path of the other collector" },
    group: "traces",
    async play(stage) {
      const [a, b] = await collectorsOf(stage);
      return {
        settings: [{ "otlp.url": a.url }, { "otlp.url": `${b.url}/otel/in` }],
        async observe(value) {
          if (value === 0 && stage.settings["otlp.type"] !== "otlptracehttp") return;
          const { receiver, sent } = await exportOf(stage);
          assert.equal(receiver, [a, b][value]);
          assert.equal(sent.path, ["/v1/traces", "/otel/in"][value]);
        },
      };
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
      const { instance } = await kit.start(tracing({ url }, { "otlp.insecure": true }));
      await spanOf(instance, receiver);
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
      const metricsOf = async (instance: ConfiguredInstance) => (await call(instance.adminUrl, "/metrics")).text;
      await until("both asked the collector", () => nothing.requests() >= 2);
      await until("the short one gave up", async () => failed.test(await metricsOf(short.instance)));
      assert.doesNotMatch(await metricsOf(long.instance), failed);
      assert.match(await metricsOf(long.instance), /rollcall_tracing_waiting_spans [1-9]/);
      await ask(long);
    },
  },
  {
    option: "otlp.environment",
    first: { value: "dev", observed: "spans name the environment dev" },
    second: { value: "production", observed: "spans name the environment production" },
    ...traced([{}, { "otlp.environment": "production" }], ({ span }, value) =>
      assert.equal(span.resource["deployment.environment.name"], ["dev", "production"][value]),
    ),
  },
  {
    option: "otlp.ratio",
    first: { value: "0", observed: "of twenty requests none is traced, but one whose signed-in caller asks for it" },
    second: { value: "1", observed: "every one of the twenty is traced" },
    async run(kit) {
      const [none, all] = [await received(kit), await received(kit)];
      const [a, b] = await kit.pair(tracing(none, { "otlp.ratio": 0 }), tracing(all));
      await Promise.all([ask(a, 20), ask(b, 20)]);
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      const { cookie } = await person(a.instance, { username: "tracing" });
      await call(a.url, route, { headers: { traceparent }, cookie });
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
    ...traced(
      [{}, { "otlp.attributes": ["pod=${HOME}", { key: "community", value: "Example" }] }],
      ({ span: { resource } }, value) =>
        assert.deepEqual(
          [resource["pod"], resource["community"]],
          value === 0 ? [undefined, undefined] : [process.env["HOME"] ?? "", "Example"],
        ),
    ),
  },
  {
    option: "otlp.headers",
    first: { value: "none", observed: "exports carry no key" },
    second: { value: "{x-api-key: key-of-the-proof}", observed: "exports by HTTP and by gRPC carry the header" },
    ...traced(
      [{}, { "otlp.headers": { "x-api-key": "key-of-the-proof" } }],
      ({ sent }, value) => assert.equal(sent.headers["x-api-key"], value === 0 ? undefined : "key-of-the-proof"),
      true,
    ),
  },
  {
    option: "otlp.compression",
    first: { value: "none", observed: "exports come as they are" },
    second: { value: "gzip", observed: "exports by HTTP and by gRPC are gzip, with the same spans in them" },
    ...traced(
      [{ "otlp.compression": "none" }, { "otlp.compression": "gzip" }],
      ({ sent }, value) => assert.equal(sent.compressed, value > 0),
      true,
    ),
  },
  {
    option: "otlp.frontend.url",
    first: { value: "empty", observed: "browsers get no collector, and the page may call its own origin only" },
    second: {
      value: '"https://traces.example.org/v1/traces"',
      observed:
        "browsers get that address, whose origin the page may call; /otel/in instead is answered by the server, which passes the spans on",
    },
    group: "traces",
    async play(stage) {
      const [receiver] = await collectorsOf(stage);
      return {
        settings: [{}, { "otlp.frontend.url": "https://traces.example.org/v1/traces" }, { "otlp.frontend.url": "/otel/in" }],
        async observe(value) {
          const given = await browserSettings(stage);
          if (value === 0) {
            assert.equal(given, null);
            assert.doesNotMatch(await policyOf(stage), /connect-src[^;]*https:/);
          } else if (value === 1) {
            assert.equal(given.url, "https://traces.example.org/v1/traces");
            assert.match(await policyOf(stage), /connect-src [^;]*https:\/\/traces\.example\.org(?:;| )/);
          } else {
            assert.equal(given.url, "/otel/in");
            await relays(stage, receiver);
          }
        },
      };
    },
  },
  {
    option: "otlp.frontend.headers",
    first: { value: "none", observed: "browsers send no further headers" },
    second: { value: "{x-community: Example}", observed: "browsers send that one" },
    group: "web",
    async play(stage) {
      const receiver = await received(stage);
      const frontend = tracing(receiver, { "otlp.frontend.url": `${receiver.url}/v1/traces` });
      return {
        settings: [frontend, { ...frontend, "otlp.frontend.headers": { "x-community": "Example" } }],
        async observe(value) {
          assert.deepEqual((await browserSettings(stage)).headers, [{}, { "x-community": "Example" }][value]);
        },
      };
    },
  },
];
