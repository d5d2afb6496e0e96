import type { FastifyInstance, FastifyRequest } from "fastify";
import type { OpenSpan, Tracing } from "#core/ports/index.ts";

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
 * Begins a span for each request, as a child of its `traceparent`. Has to be added before every other hook, so
 * that all of them run inside it. Adds nothing when tracing is off.
 */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  if (!tracing.enabled) return;
  app.addHook("onRequest", (request, _reply, done) => {
    const route = request.routeOptions.url ?? "unmatched";
    const header = request.headers["traceparent"];
    const span = isTraced(request)
      ? tracing.begin(`${request.method} ${route}`, {
          kind: "server",
          attributes: { "http.request.method": request.method, "http.route": route },
          ...(typeof header === "string" ? { parent: header } : {}),
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
