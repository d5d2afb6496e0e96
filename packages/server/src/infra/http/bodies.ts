import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Clock } from "#core/ports/clock.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The handler reads the body itself and sees to its pace. */
    upload?: boolean;
  }
}

/** A body that the server reads whole before anything happens has this long. */
const bodyMs = 60_000;
/** What still comes after the answer is thrown away for this long, so that the answer is read. */
const lingerMs = 5000;

const hasBody = ({ headers }: FastifyRequest) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

const isUpload = (request: FastifyRequest) => request.routeOptions.config.upload === true;

/** Ends the connections of those who send a body for ever, byte by byte. */
export function limitBodies(app: FastifyInstance, clock: Clock): void {
  app.addHook("onRequest", async (request, reply) => {
    if (!hasBody(request) || isUpload(request)) return;
    const { raw } = request;
    const timer = clock.setTimeout(() => {
      // A connection that is gone already, or none at all, has nothing to end.
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
