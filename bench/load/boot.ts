/**
 * A process that boots an HTTP server with the number of operations in its first argument, copied from
 * the existing ones, and prints the measurements as JSON.
 */
import { request } from "node:http";
import type { OperationDefinition } from "../../packages/server/src/core/contract/operation.ts";
import type { Binding } from "../../packages/server/src/core/feature.ts";
import { features } from "../../packages/server/src/app/features.ts";
import { syncErrors } from "../../packages/server/src/features/sync/sync.contract.ts";
import { systemClock } from "../../packages/server/src/infra/clock.ts";
import { mountDocs } from "../../packages/server/src/infra/http/docs.ts";
import { noTracing } from "../../packages/server/src/core/ports/index.ts";
import { rateLimits } from "../../packages/server/src/infra/http/rate.ts";
import { createHttpServer } from "../../packages/server/src/infra/http/server.ts";
import { createIds } from "../../packages/server/src/infra/ids.ts";
import { createMetrics } from "../../packages/server/src/infra/telemetry/metrics.ts";
import { silentLog, silentLogs } from "../../packages/server/src/testkit/silence.ts";

const wanted = Number(process.argv[2]);

function isAsked({ access, method, path }: OperationDefinition): boolean {
  return access.kind === "public" && method === "GET" && !path.includes(":");
}

/** The operations of the features, repeated under other ids and paths, each with schemas of its own. */
function manyBindings(count: number): Binding[] {
  const operations = features.flatMap((feature) => feature.contract.operations ?? []);
  // One that answers without a session comes first, so that any number of them includes one to call.
  const asked = operations.findIndex(isAsked);
  const template = operations.slice(asked).concat(operations.slice(0, asked));
  return Array.from({ length: count }, (_, i) => {
    const from = template[i % template.length]!;
    const copy = Math.floor(i / template.length);
    const operation: OperationDefinition = {
      ...from,
      id: `${from.id}${copy}`,
      path: from.path.replace("/api/", `/api/copy${copy}/`),
      input: structuredClone(from.input),
      output: structuredClone(from.output),
    };
    return { operation, handle: async () => operation.example.output as never };
  });
}

const base = "http://127.0.0.1";
const ids = createIds(systemClock);
const bindings = manyBindings(wanted);
const memoryBefore = process.memoryUsage().rss;
const started = performance.now();
const app = await createHttpServer({
  links: { find: async () => null, present: async () => null },
  settings: {
    publicUrl: base,
    origins: [base],
    trustedProxies: [],
    cookieSecret: "a cookie secret of the benchmark",
    cookieDomain: "localhost",
    debug: false,
    sync: { enabled: true, tokens: ["a sync token of the benchmark"] },
    rates: rateLimits,
  },
  bindings,
  authenticator: {
    bySession: async () => null,
    byUserToken: async () => "invalid",
    idOfSession: (id) => id,
    sessionOfToken: async () => null,
  },
  syncDisabled: syncErrors.disabled,
  idempotency: {
    find: async () => null,
    keep: async () => undefined,
    reserve: async () => undefined,
    complete: async () => undefined,
    keepAlone: async () => undefined,
  },
  denied: async () => undefined,
  failed: async () => undefined,
  refusedSync: async () => undefined,
  health: { doubt: () => undefined },
  errorTexts: (code) => code,
  clock: systemClock,
  ids,
  log: silentLog,
  logs: silentLogs,
  metrics: createMetrics(),
  tracing: noTracing,
  live: { admit: () => undefined, serve: (socket) => socket.close(), sockets: [], position: () => null },
  mount: [
    (server) =>
      mountDocs(server, {
        publicUrl: base,
        origins: [base],
        nonce: () => ids.secret(16),
        operations: bindings.map(({ operation }) => operation),
        version: "bench",
        gameResource: "rollcall",
      }),
  ],
});
await app.listen({ host: "127.0.0.1", port: 0 });
const booted = performance.now() - started;
const memory = process.memoryUsage().rss - memoryBefore;

/** Calls the last operation: work that is deferred to the first use is measured separately. */
async function firstAnswer(): Promise<number> {
  const at = bindings.findLastIndex(({ operation }) => isAsked(operation));
  const { path } = bindings[at]!.operation;
  const address = app.server.address() as { port: number };
  const asked = performance.now();
  const status = await new Promise<number>((resolve, reject) => {
    request({ port: address.port, path, headers: { "x-rollcall": "1" } }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    })
      .on("error", reject)
      .end();
  });
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return performance.now() - asked;
}

const first = await firstAnswer();
await app.close();
process.stdout.write(JSON.stringify({ operations: bindings.length, booted, memory, first, sinceStart: performance.now() }));
process.exit(0);
