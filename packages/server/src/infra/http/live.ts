import type { FastifyInstance, FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import { defaultLimits } from "#infra/realtime/limits.ts";
import { type RateLimiter, networkKey } from "./rate.ts";
import { notFoundAt } from "./guard-budgets.ts";

/** Serves WebSocket connections, each with the network of its client. */
export interface LiveSockets {
  /** Throws the error to answer with if the connection is refused. */
  admit(network: string): void;
  serve(socket: WebSocket, network: string): void;
}

export const socketOptions = {
  maxPayload: defaultLimits.frameBytes,
  perMessageDeflate: false,
  /** Milliseconds until a connection is dropped whose client does not answer the close frame. */
  closeTimeout: 3000,
};

/** Closes the connection after a refused WebSocket handshake, which Fastify leaves open. */
export function endRefusedUpgrades(app: FastifyInstance): void {
  const isUpgrade = ({ headers }: FastifyRequest) => headers.upgrade !== undefined;
  app.addHook("onSend", async (request, reply) => {
    if (isUpgrade(request)) void reply.header("connection", "close");
  });
  app.addHook("onResponse", async (request) => {
    if (isUpgrade(request)) request.raw.socket.destroySoon();
  });
}

/** Mounts `/api/realtime`, limited per network. */
export function mountLive(app: FastifyInstance, live: LiveSockets, rates: RateLimiter): void {
  app.get(
    "/api/realtime",
    {
      websocket: true,
      config: { counted: true },
      onRequest: async (request) => {
        const network = networkKey(request.address);
        if (!request.ws) throw notFoundAt(request.address, rates);
        rates.consume("upgrade", network);
        live.admit(network);
      },
    },
    (socket, request) => live.serve(socket, networkKey(request.address)),
  );
}
