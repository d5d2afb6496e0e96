import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "#core/ports/clock.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The handler reads the body itself and enforces a minimum speed. */
    upload?: boolean;
  }
}

/** Time limit of a body that the server reads completely before the handler runs. */
const bodyMs = 60_000;
/** After the answer, the rest of the body is discarded for this long, so that the client reads the answer. */
const lingerMs = 5000;

const hasBody = ({ headers }: FastifyRequest) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

const isUpload = (request: FastifyRequest) => request.routeOptions.config.upload === true;

/** Closes connections whose body takes too long. */
export function limitBodies(app: FastifyInstance, clock: Clock): void {
  app.addHook("onRequest", async (request, reply) => {
    if (!hasBody(request) || isUpload(request)) return;
    const { raw } = request;
    const timer = clock.setTimeout(() => {
      // The connection may be closed already, and injected requests have none.
      if (raw.complete || raw.socket.destroyed !== false) return;
      if (!reply.raw.headersSent) raw.socket.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n");
      raw.socket.destroySoon();
    }, bodyMs);
    raw.once("end", () => timer.cancel());
    raw.once("close", () => timer.cancel());
  });
  app.addHook("onResponse", async (request) => {
    const { raw } = request;
    if (!isUpload(request) || raw.complete || raw.readableEnded) return;
    raw.resume();
    const timer = clock.setTimeout(() => raw.destroy(), lingerMs);
    raw.once("close", () => timer.cancel());
  });
}
