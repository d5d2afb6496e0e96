import { setMaxListeners } from "node:events";
import type { IncomingMessage } from "node:http";
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import websocket from "@fastify/websocket";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import { guardErrors } from "#core/contract/guard.ts";
import type { ErrorDefinition } from "#core/contract/errors.ts";
import type { Binding } from "#core/feature.ts";
import type { SecretLinks } from "#core/ports/links.ts";
import type { Authenticator } from "#core/ports/authenticator.ts";
import type { Clock, Ids } from "#core/ports/clock.ts";
import type { Health } from "#core/ports/health.ts";
import type { IdempotencyKeys } from "#core/ports/idempotency.ts";
import type { Log, Logs } from "#core/ports/log.ts";
import type { Metrics } from "#core/ports/metrics.ts";
import type { Tracing } from "#core/ports/tracing.ts";
import { createClientAddress } from "./client-address.ts";
import { createCookieSeal } from "./cookie.ts";
import { Guard } from "./guard.ts";
import { limitBodies } from "./bodies.ts";
import { createRefusalDelay } from "./refusal-delay.ts";
import { KeyedCalls } from "./idempotency.ts";
import { endRefusedUpgrades, type LiveSockets, mountLive, socketOptions } from "./live.ts";
import { createOriginGuard } from "./origin.ts";
import { toAppError, toProblem, type ErrorTexts } from "./problem.ts";
import { createRateLimiter, type RateLimiter, networkKey } from "./rate.ts";
import { GuardBudgets, notFoundAt } from "./guard-budgets.ts";
import { defaultBodyLimit, type HttpSettings } from "./call.ts";
import { mountOperation } from "./operation.ts";
import { createSyncTokens } from "./sync-token.ts";
import { traceRequests } from "./tracing.ts";

export interface HttpOptions {
  readonly settings: HttpSettings;
  readonly bindings: readonly Binding[];
  readonly authenticator: Authenticator;
  readonly links: SecretLinks;
  readonly syncDisabled: ErrorDefinition;
  readonly errorTexts: ErrorTexts;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly health: Pick<Health, "doubt">;
  readonly logs: Logs;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Writes to the audit log that a known caller was refused an operation. */
  readonly denied: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  /** Writes to the audit log that a change failed with a server error. */
  readonly failed: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  /** Writes to the audit log that a call of the Sync API was refused, whose caller may be anybody. */
  readonly refusedSync: (actor: Actor, operation: string, error: AppError) => Promise<void>;
  readonly idempotency: IdempotencyKeys;
  readonly live: LiveSockets;
  /** Mount what is not an operation: the API's documentation and the web application. */
  readonly mount: readonly ((app: FastifyInstance) => Promise<void> | void)[];
}

/** Longest upload, whatever its size limit. */
const longestRequestMs = 6 * 60 * 60_000;

const secureHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

function observe(app: FastifyInstance, options: HttpOptions, addressOf: (request: IncomingMessage) => string): void {
  const { clock, log, metrics } = options;
  const seconds = metrics.histogram("rollcall_http_request_seconds", "Time to answer by route", ["method", "route", "status"]);
  app.decorateRequest("address", "");
  app.decorateRequest("traceId", "");
  app.decorateRequest("startedAt", 0);
  app.addHook("onRequest", async (request, reply) => {
    request.traceId = options.tracing.traceId() ?? options.ids.next();
    request.startedAt = clock.monotonic();
    request.address = addressOf(request.raw);
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
        address: request.address,
      },
      "request",
    );
  });
}

/** A keep-alive connection with an answer in progress at the stop would keep the listener open for a minute. */
function closeConnectionsAtStop(app: FastifyInstance): AbortSignal {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  app.addHook("preClose", async () => stopping.abort());
  app.addHook("onSend", async (_request, reply) => {
    if (stopping.signal.aborted) void reply.header("connection", "close");
  });
  app.addHook("onResponse", async (request) => {
    if (stopping.signal.aborted) request.raw.socket.end();
  });
  return stopping.signal;
}

/** Rate limit of files, pages and preflights. */
function limitPages(app: FastifyInstance, rates: RateLimiter): void {
  app.addHook("onRequest", async (request) => {
    if (request.is404 || request.routeOptions.config.counted === true) return;
    rates.consume("page", networkKey(request.address));
  });
}

function answerProblems(app: FastifyInstance, options: HttpOptions, rates: RateLimiter, delay: () => Promise<void>): void {
  const send = async (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = toAppError(thrown, request.routeOptions.bodyLimit ?? defaultBodyLimit);
    const { status, code } = error.definition;
    if (status === 429) await delay();
    if (error.definition === guardErrors.unavailable || error.definition === guardErrors.diskFull) {
      options.health.doubt(String(error.params["part"]));
      options.log.warn(
        {
          code,
          params: error.params,
          reason: (error.cause as Error | undefined)?.message,
          traceId: request.traceId,
          route: request.routeOptions.url,
        },
        "refused while a part is unavailable",
      );
    } else if (status >= 500 && status !== 503) {
      options.log.error(
        { err: error.cause ?? error, code, traceId: request.traceId, route: request.routeOptions.url },
        "request failed",
      );
    }
    // If it were closed while the body still arrives, the connection would be reset before the answer is read.
    if (error.definition === guardErrors.bodyTooLarge) void reply.removeHeader("connection");
    // Headers that a failed answer had set for its content do not apply to the problem.
    for (const name of ["etag", "accept-ranges", "content-range", "content-disposition"]) void reply.removeHeader(name);
    void reply.header("cache-control", "no-store");
    if (status === 429 || "seconds" in error.params) void reply.header("retry-after", String(error.params["seconds"] ?? 1));
    const problem = toProblem(error, {
      traceId: request.traceId,
      debug: options.settings.debug,
      errorTexts: options.errorTexts,
    });
    return await reply.code(status).type("application/problem+json; charset=utf-8").send(JSON.stringify(problem));
  };
  app.setErrorHandler((error, request, reply) => send(error, request, reply));
  app.setNotFoundHandler((request, reply) => send(notFoundAt(request.address, rates), request, reply));
}

/** JSON is UTF-8; letters in another charset would be read as others, or as none. */
const charset = /;\s*charset\s*=\s*["']?([^"';\s]*)/i;
const utf8: readonly string[] = ["utf-8", "utf8", "us-ascii"];

function refuseEncoded(app: FastifyInstance): void {
  app.addHook("preParsing", async (request, _reply, payload) => {
    const { "content-encoding": encoding = "identity", "content-type": type = "" } = request.headers;
    const [, named = "utf-8"] = charset.exec(type) ?? [];
    if (encoding !== "identity" || !utf8.includes(named.toLowerCase())) throw new AppError(guardErrors.unsupportedMediaType);
    return payload;
  });
}

/** Rewrites the configured alias path. */
function rewriteAlias({ from, to }: { readonly from: string; readonly to: string }) {
  return ({ url = "/" }: { readonly url?: string }) => (url === from ? to : url);
}

/** The main listener's application; not yet listening. */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { settings } = options;
  const addressOf = createClientAddress(settings.trustedProxies);
  const rates = createRateLimiter(options.clock, settings.rates);
  const delay = createRefusalDelay(options.clock);
  const app = Fastify({
    bodyLimit: defaultBodyLimit,
    // `request.address` evaluates the headers of proxies instead.
    trustProxy: false,
    forceCloseConnections: "idle",
    // Node limits headers to 60 s and `limitBodies` limits bodies; uploads may take longer.
    requestTimeout: longestRequestMs,
    keepAliveTimeout: 75_000,
    // A URL that cannot be decoded reaches no route and no hook.
    frameworkErrors: (_error, request, reply) => {
      const { errorTexts, ids } = options;
      const error = notFoundAt(addressOf(request.raw), rates);
      const problem = toProblem(error, { traceId: ids.next(), debug: false, errorTexts });
      const answer = reply as unknown as FastifyReply;
      void answer.headers(secureHeaders).header("cache-control", "no-store");
      if (problem.status === 429) void answer.header("retry-after", String(problem.params["seconds"]));
      const send = () =>
        void answer.code(problem.status).type("application/problem+json; charset=utf-8").send(JSON.stringify(problem));
      void (problem.status === 429 ? delay().then(send) : send());
    },
    ...(!settings.alias ? {} : { rewriteUrl: rewriteAlias(settings.alias) }),
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 256 },
  });
  // The API reads JSON; a text would be refused for its shape, which names another mistake.
  app.removeContentTypeParser("text/plain");
  const seal = createCookieSeal(settings.cookieSecret);
  traceRequests(app, options.tracing, seal);
  observe(app, options, addressOf);
  limitBodies(app, options.clock);
  answerProblems(app, options, rates, delay);
  const stopping = closeConnectionsAtStop(app);
  endRefusedUpgrades(app);
  app.addHook("onRequest", createOriginGuard(settings.origins, rates));
  limitPages(app, rates);
  await app.register(cookie);
  refuseEncoded(app);
  await app.register(compress, {
    // Decompressing request bodies would let a small body grow past every limit.
    globalDecompression: false,
    threshold: 1024,
    encodings: ["br", "gzip"],
    customTypes: /^(?:application\/(?:problem\+)?json|text\/)/,
  });
  await app.register(websocket, { options: socketOptions });
  const { enabled, tokens } = settings.sync;
  const guard = new Guard({
    authenticator: options.authenticator,
    cookies: seal,
    links: options.links,
    sync: { enabled, isToken: createSyncTokens(tokens, rates) },
    syncDisabled: options.syncDisabled,
  });
  const guardBudgets = new GuardBudgets({ guard, rates, cookies: seal, authenticator: options.authenticator });
  const keyed = new KeyedCalls(options.idempotency);
  const shared = { ...options, seal, rates, guardBudgets, keyed, stopping };
  mountLive(app, options.live, rates);
  for (const binding of options.bindings) mountOperation(app, binding, shared);
  for (const mount of options.mount) await mount(app);
  return app;
}
