import { writeHeapSnapshot } from "node:v8";
import { tmpdir } from "node:os";
import path from "node:path";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import type { Clock, Health } from "#core/ports/index.ts";
import type { MetricsRegistry } from "#infra/telemetry/metrics.ts";

export interface AdminOptions {
  readonly health: Health;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly version: string;
  /** Parts that the process cannot serve without; the others only degrade it. */
  readonly required: readonly string[];
}

function fromLoopback(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress;
  return address !== undefined && ipaddr.process(address).range() === "loopback";
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
      actions: { "POST /debug/heap": "writes a heap snapshot and returns its path" },
    }));
    debug.post("/debug/heap", async () => ({
      file: writeHeapSnapshot(path.join(tmpdir(), `rollcall-${process.pid}-${options.clock.now()}.heapsnapshot`)),
    }));
  });
}

/** The application of the admin listener. */
export function createAdminServer(options: AdminOptions): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.get("/livez", async () => ({ state: "ok", uptimeSeconds: Math.round(process.uptime()) }));
  app.get("/readyz", async (_request, reply) => {
    const parts = options.health.parts();
    const down = parts.some(({ part, state }) => state === "down" && options.required.includes(part));
    const degraded = parts.some(({ state }) => state !== "ok");
    return await reply.code(down ? 503 : 200).send({ state: down ? "down" : degraded ? "degraded" : "ok", parts });
  });
  app.get(
    "/metrics",
    async (_request, reply) => await reply.type(options.metrics.contentType).send(await options.metrics.expose()),
  );
  mountDebug(app, options);
  return app;
}
