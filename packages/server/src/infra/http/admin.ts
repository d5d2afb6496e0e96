import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { type Health, requiredParts } from "#core/ports/index.ts";
import type { MetricsRegistry } from "#infra/telemetry/metrics.ts";

export interface AdminOptions {
  readonly health: Pick<Health, "parts">;
  readonly metrics: MetricsRegistry;
  readonly version: string;
}

function fromLoopback(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress;
  return address !== undefined && ipaddr.process(address).range() === "loopback";
}

/**
 * Whether the request names this machine by an address or by a name without a dot, which no other site has. A browser on
 * this machine that opened a page of a site whose name now resolves to loopback names that site.
 */
function namesThisMachine({ headers: { host = "localhost" } }: FastifyRequest): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(name) || !name.includes(".");
}

function mountDebug(app: FastifyInstance, options: AdminOptions): void {
  void app.register(async (debug) => {
    debug.addHook("onRequest", async (request, reply) => {
      if (!fromLoopback(request)) return await reply.code(403).send({ error: "only for requests from this machine" });
      // A browser on this machine also connects from loopback, on behalf of any site.
      if (request.headers.origin !== undefined) return await reply.code(403).send({ error: "not for pages of a browser" });
      return undefined;
    });
    debug.get("/debug", async () => ({
      version: options.version,
      uptimeSeconds: Math.round(process.uptime()),
      memory: process.memoryUsage(),
      resources: process.resourceUsage(),
      activeResources: process
        .getActiveResourcesInfo()
        .reduce<Record<string, number>>((count, name) => ({ ...count, [name]: (count[name] ?? 0) + 1 }), {}),
      actions: { [`kill -USR2 ${process.pid}`]: "writes a heap snapshot and logs its path" },
    }));
  });
}

/** The application of the admin listener. */
export function createAdminServer(options: AdminOptions): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.addHook("onRequest", async (request, reply) => {
    if (!fromLoopback(request) || namesThisMachine(request)) return undefined;
    return await reply.code(403).send({ error: "only for the address of this machine, localhost, or a name without a dot" });
  });
  app.get("/livez", async () => ({ state: "ok", uptimeSeconds: Math.round(process.uptime()) }));
  app.get("/readyz", async (_request, reply) => {
    const parts = options.health.parts();
    const down = parts.some(({ part, state }) => state === "down" && requiredParts.includes(part));
    const degraded = parts.some(({ state }) => state !== "ok");
    return await reply.code(down ? 503 : 200).send({ state: down ? "down" : degraded ? "degraded" : "ok", parts });
  });
  app.get(
    "/metrics",
    async (_request, reply) => await reply.type(options.metrics.contentType).send(await options.metrics.expose()),
  );
  mountDebug(app, options);
  app.setNotFoundHandler(
    async (_request, reply) =>
      await reply.code(404).send({ error: "not an address of the admin listener; it has /livez, /readyz, /metrics and /debug" }),
  );
  return app;
}
