import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type WebSocket, WebSocketServer } from "ws";
import type { Position } from "#core/contract/realtime.ts";
import { defaultLimits } from "#infra/realtime/limits.ts";
import { type RateLimiter, networkKey } from "./rate.ts";
import { notFoundAt } from "./guard-budgets.ts";

/** A client of a WebSocket: the connection below it, and its network. */
export interface SocketClient {
  readonly raw: Socket;
  readonly network: string;
}

/** A WebSocket of a feature. */
export interface MountedSocket {
  /** May end in `/:key`. */
  readonly path: string;
  /** Largest frame of a client. */
  readonly frameBytes: number;
  serve(socket: WebSocket, client: SocketClient, key: string | null): void;
}

/** Serves WebSocket connections. */
export interface LiveSockets {
  /** Throws the error to answer with if the connection is refused. */
  admit(network: string): void;
  /** Serves `/api/realtime`. */
  serve(socket: WebSocket, client: SocketClient): void;
  readonly sockets: readonly MountedSocket[];
  /** How far this process has read the events; null before it has. */
  position(): Position | null;
}

const commonOptions = {
  perMessageDeflate: false,
  /** Milliseconds until a connection is dropped whose client does not answer the close frame. */
  closeTimeout: 3000,
};
export const socketOptions = { ...commonOptions, maxPayload: defaultLimits.frameBytes };

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

const clientOf = (request: FastifyRequest): SocketClient => ({
  raw: request.raw.socket,
  network: networkKey(request.address),
});

/** Mounts `/api/realtime` and the sockets of features, limited per network. */
export function mountLive(app: FastifyInstance, live: LiveSockets, rates: RateLimiter): void {
  const mount = (path: string, serve: (socket: WebSocket, request: FastifyRequest) => void) => {
    app.get(
      path,
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
      serve,
    );
  };
  mount("/api/realtime", (socket, request) => live.serve(socket, clientOf(request)));
  acceptByFrameSize(app, live.sockets);
  for (const { path, serve } of live.sockets)
    mount(path, (socket, request) => {
      const { key = null } = request.params as { key?: string };
      serve(socket, clientOf(request), key);
    });
}

/** The longest frame is a property of a `WebSocketServer`, so every size gets one of its own. */
function acceptByFrameSize(app: FastifyInstance, sockets: readonly MountedSocket[]): void {
  if (sockets.length === 0) return;
  const servers = new Map(
    sockets.map(({ path, frameBytes }) => [
      path.replace(/\/:key$/, ""),
      new WebSocketServer({ ...commonOptions, noServer: true, maxPayload: frameBytes }),
    ]),
  );
  const { websocketServer } = app;
  const acceptRealtime = websocketServer.handleUpgrade.bind(websocketServer);
  websocketServer.handleUpgrade = (request, socket, head, accepted) => {
    const path = /^\/api\/sockets\/[^/?]+/.exec(request.url ?? "")?.[0] ?? "";
    const own = servers.get(path);
    if (own) own.handleUpgrade(request, socket, head, accepted);
    else acceptRealtime(request, socket, head, accepted);
  };
}
