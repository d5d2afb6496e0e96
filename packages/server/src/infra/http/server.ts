import type { IncomingMessage } from "node:http";
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import websocket from "@fastify/websocket";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import { doorErrors } from "#core/contract/door.ts";
import type { ErrorDefinition } from "#core/contract/errors.ts";
import type { Binding } from "#core/feature.ts";
import type { Authenticator } from "#core/ports/authenticator.ts";
import type { Clock, Ids } from "#core/ports/clock.ts";
import type { Log, Logs } from "#core/ports/log.ts";
import type { Metrics } from "#core/ports/metrics.ts";
import type { Tracing } from "#core/ports/tracing.ts";
import { defaultLimits } from "#infra/realtime/limits.ts";
import { createCookieSeal } from "./cookie.ts";
import { createDoor } from "./door.ts";
import { limitBodies } from "./bodies.ts";
import { createHold } from "./hold.ts";
import { createOriginGuard } from "./origin.ts";
import { toAppError, toProblem, type Sentences } from "./problem.ts";
import { createRateGuard } from "./rate.ts";
import { defaultBodyLimit, type HttpSettings } from "./call.ts";
import { mountOperation } from "./operation.ts";
import { traceRequests } from "./tracing.ts";

export interface HttpOptions {
  readonly settings: HttpSettings;
  readonly bindings: readonly Binding[];
  readonly authenticator: Authenticator;
  readonly syncDisabled: ErrorDefinition;
  readonly sentences: Sentences;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly logs: Logs;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Notes in the audit trail that somebody known was refused an operation. */
  readonly denied: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  /** Notes in the audit trail that a change failed on our side. */
  readonly failed: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  /** Takes over an accepted live socket. */
  readonly live: (socket: WebSocket) => void;
  /** Mounts what is not an operation: documents of the API and the web application. */
  readonly mount: readonly ((app: FastifyInstance) => Promise<void> | void)[];
}

/** No upload takes longer, whatever the cap. */
const longestRequestMs = 6 * 60 * 60_000;

const secureHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** The request's trace id: that of its span, else taken from a valid `traceparent`, else made here. */
function traceIdOf(request: IncomingMessage, { ids, tracing }: Pick<HttpOptions, "ids" | "tracing">): string {
  const traced = tracing.traceId();
  if (traced !== null) return traced;
  const header = request.headers["traceparent"];
  const match = typeof header === "string" ? /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/.exec(header) : null;
  return match?.[1] ?? ids.next();
}

function observe(app: FastifyInstance, options: HttpOptions): void {
  const { clock, log, metrics } = options;
  const seconds = metrics.histogram("rollcall_http_request_seconds", "Time to answer by route", ["method", "route", "status"]);
  app.decorateRequest("traceId", "");
  app.decorateRequest("startedAt", 0);
  app.addHook("onRequest", async (request, reply) => {
    request.traceId = traceIdOf(request.raw, options);
    request.startedAt = clock.monotonic();
    void reply.headers(secureHeaders);
    void reply.header("x-trace-id", request.traceId);
    if (options.settings.publicUrl.startsWith("https:")) {
      void reply.header("strict-transport-security", "max-age=31536000");
    }
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "unmatched";
    const took = clock.monotonic() - request.startedAt;
    seconds.observe({ method: request.method, route, status: String(reply.statusCode) }, took / 1000);
    log.debug(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(took),
        traceId: request.traceId,
        address: request.ip,
      },
      "request",
    );
  });
}

/** A kept-alive connection whose answer was under way at the stop would hold the listener open for a minute. */
function endConnectionsAtStop(app: FastifyInstance): void {
  let stopping = false;
  app.addHook("preClose", async () => {
    stopping = true;
  });
  app.addHook("onSend", async (_request, reply) => {
    if (stopping) void reply.header("connection", "close");
  });
  app.addHook("onResponse", async (request) => {
    if (stopping) request.raw.socket.end();
  });
}

function answerProblems(app: FastifyInstance, options: HttpOptions): void {
  const send = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = toAppError(thrown, request.routeOptions.bodyLimit ?? defaultBodyLimit);
    const { status, code } = error.definition;
    if (status === 503)
      options.log.warn(
        { code, params: error.params, traceId: request.traceId, route: request.routeOptions.url },
        "refused while a part is away",
      );
    else if (status >= 500) {
      options.log.error(
        { err: error.cause ?? error, code, traceId: request.traceId, route: request.routeOptions.url },
        "request failed",
      );
    }
    // Closed while the rest of the body still comes, the connection is reset before the answer is read.
    if (error.definition === doorErrors.bodyTooLarge) void reply.removeHeader("connection");
    // What an answer that failed half way had said of its content does not hold for the problem.
    for (const name of ["etag", "accept-ranges", "content-range", "content-disposition"]) void reply.removeHeader(name);
    void reply.header("cache-control", "no-store");
    if (status === 429) void reply.header("retry-after", String(error.params["seconds"] ?? 1));
    const problem = toProblem(error, {
      traceId: request.traceId,
      debug: options.settings.debug,
      sentences: options.sentences,
    });
    return reply.code(status).type("application/problem+json; charset=utf-8").send(JSON.stringify(problem));
  };
  app.setErrorHandler((error, request, reply) => send(error, request, reply));
  app.setNotFoundHandler((request, reply) => send(new AppError(doorErrors.notFound), request, reply));
}

function refuseCompressed(app: FastifyInstance): void {
  app.addHook("preParsing", async (request, _reply, payload) => {
    const encoding = request.headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity") throw new AppError(doorErrors.unsupportedMediaType);
    return payload;
  });
}

function mountLive(app: FastifyInstance, options: HttpOptions): void {
  app.get("/api/realtime", { websocket: true }, (socket) => options.live(socket));
}

/** Another address for one of ours, where the configuration names it. */
function aliased({ from, to }: { readonly from: string; readonly to: string }) {
  return ({ url = "/" }: { readonly url?: string }) => (url === from ? to : url);
}

/** The main listener's application; not yet listening. */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { settings } = options;
  const app = Fastify({
    bodyLimit: defaultBodyLimit,
    trustProxy: settings.trustedProxies.length === 0 ? false : [...settings.trustedProxies],
    forceCloseConnections: "idle",
    // Of heads the server itself sees to the 60 s, of bodies `limitBodies` does: uploads have longer.
    requestTimeout: longestRequestMs,
    keepAliveTimeout: 75_000,
    // An address that cannot even be decoded reaches no route and no hook.
    frameworkErrors: (_error, _request, reply) => {
      const { sentences, ids } = options;
      const problem = toProblem(new AppError(doorErrors.notFound), { traceId: ids.next(), debug: false, sentences });
      const answer = reply as unknown as FastifyReply;
      void answer.headers(secureHeaders).header("cache-control", "no-store");
      void answer.code(404).type("application/problem+json; charset=utf-8").send(JSON.stringify(problem));
    },
    ...(!settings.alias ? {} : { rewriteUrl: aliased(settings.alias) }),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 256 },
  });
  traceRequests(app, options.tracing);
  observe(app, options);
  limitBodies(app, options.clock);
  answerProblems(app, options);
  endConnectionsAtStop(app);
  app.addHook("onRequest", createOriginGuard(settings.origins));
  await app.register(cookie);
  refuseCompressed(app);
  await app.register(compress, {
    // Unpacking what strangers send would let a small body grow past every limit.
    globalDecompression: false,
    threshold: 1024,
    encodings: ["br", "gzip"],
    customTypes: /^(?:application\/(?:problem\+)?json|text\/)/,
  });
  await app.register(websocket, { options: { maxPayload: defaultLimits.frameBytes, perMessageDeflate: false } });
  const seal = createCookieSeal(settings.cookieSecret);
  const pass = createDoor({
    authenticator: options.authenticator,
    cookies: seal,
    sync: settings.sync,
    syncDisabled: options.syncDisabled,
  });
  const takeOne = createRateGuard(options.clock, settings.rates);
  const hold = createHold(options.clock);
  mountLive(app, options);
  for (const binding of options.bindings) mountOperation(app, binding, { ...options, pass, seal, takeOne, hold });
  for (const mount of options.mount) await mount(app);
  return app;
}
