import type { WebSocket } from "ws";
import { closeCodes } from "#core/contract/index.ts";
import type { RealtimeHub } from "./hub.ts";
import type { RealtimeSocket } from "./socket.ts";

/**
 * Binds an accepted `ws` socket to the hub; call `hub.admit` before it is accepted. Create the WebSocket
 * server with `maxPayload: hub.limits.frameBytes` and `perMessageDeflate: false`.
 */
export function serveSocket(hub: RealtimeHub, ws: WebSocket, network: string): void {
  const socket: RealtimeSocket = {
    get backlog() {
      return ws.bufferedAmount;
    },
    sendText: (text) => ws.send(text, { binary: false }),
    sendBinary: (bytes) => ws.send(bytes, { binary: true }),
    close(code, reason) {
      // A client that does not read would never answer the closing handshake.
      if (code === closeCodes.slowReader || code === closeCodes.silent) {
        ws.close(code, reason);
        setImmediate(() => ws.terminate());
      } else ws.close(code, reason);
    },
  };
  const handler = hub.open(socket, network);
  ws.on("message", (data, binary) => {
    if (binary) return ws.close(closeCodes.badMessage, "clients send text frames");
    handler.message(String(data));
  });
  ws.on("pong", () => handler.alive());
  ws.on("ping", () => handler.alive());
  ws.on("close", () => handler.closed());
  // An error is always followed by close, which cleans up.
  ws.on("error", () => {});
}
