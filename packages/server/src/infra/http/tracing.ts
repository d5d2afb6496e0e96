import type { FastifyInstance, FastifyRequest } from "fastify";
import type { OpenSpan, SpanOptions, Tracing } from "#core/ports/index.ts";
import { type CookieSeal, sessionCookieName } from "./cookie.ts";

/** Paths without a span: files of the web application, and the spans that browsers send. */
const untraced = ["/assets/", "/api/traces"];

const spans = new WeakMap<FastifyRequest, OpenSpan>();

function isTraced(request: FastifyRequest): boolean {
  // A WebSocket lasts for hours; its subscriptions have spans of their own.
  if (request.headers.upgrade !== undefined) return false;
  const { pathname } = new URL(request.url, "http://rollcall");
  return !untraced.some((prefix) => pathname.startsWith(prefix));
}

/**
 * How the span of a request is bound to the trace of its caller. Only a browser with a session of this server continues
 * its trace: ids of unknown callers would let them decide what is recorded, and make their calls look like those of others in
 * logs and audit log.
 */
async function callerOf(
  { headers, server }: FastifyRequest,
  seal: Pick<CookieSeal, "open">,
): Promise<Pick<SpanOptions, "parent" | "link">> {
  const { traceparent, cookie = "" } = headers;
  if (typeof traceparent !== "string") return {};
  const session = server.parseCookie(cookie)[sessionCookieName];
  const isKnown = session !== undefined && (await seal.open(session)) !== null;
  return isKnown ? { parent: traceparent } : { link: traceparent };
}

/**
 * Begins a span for each request. Has to be added before every other hook, so that all of them run inside it. Adds
 * nothing when tracing is off.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing, seal: Pick<CookieSeal, "open">): void {
  if (!tracing.enabled) return;
  const callers = new WeakMap<FastifyRequest, Pick<SpanOptions, "parent" | "link">>();
  app.addHook("onRequest", async (request) => void callers.set(request, await callerOf(request, seal)));
  app.addHook("onRequest", (request, _reply, done) => {
    const route = request.routeOptions.url ?? "unmatched";
    const span = isTraced(request)
      ? tracing.begin(`${request.method} ${route}`, {
          kind: "server",
          attributes: { "http.request.method": request.method, "http.route": route },
          ...callers.get(request),
        })
      : null;
    if (span === null) return done();
    spans.set(request, span);
    return span.run(done);
  });
  // Parsing the body leaves the span's async context for that of the connection.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    return span === undefined ? done() : span.run(done);
  });
  app.addHook("onResponse", async (request, reply) => {
    const span = spans.get(request);
    if (span === undefined) return;
    span.set({ "http.response.status_code": reply.statusCode });
    if (reply.statusCode >= 500) span.fail(`HTTP ${reply.statusCode}`);
    span.end();
  });
}
