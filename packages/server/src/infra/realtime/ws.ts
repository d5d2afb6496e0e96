import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { closeCodes } from "#core/contract/index.ts";
import type { RealtimeLimits } from "./limits.ts";
import type { SocketHandler } from "./sessions.ts";
import type { RealtimeSocket } from "./socket.ts";

/**
 * Binds an accepted `ws` socket to what `open` returns; call `admit` of the sessions before it is accepted.
 * `raw` is the connection below it. Create the WebSocket server with the `maxPayload` of this kind of socket
 * and `perMessageDeflate: false`.
 */
export function serveSocket(
  ws: WebSocket,
  raw: Socket,
  limits: Pick<RealtimeLimits, "anonymousBytes">,
  open: (socket: RealtimeSocket) => SocketHandler,
): void {
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
  const handler = open(socket);
  limitAnonymousBytes(ws, raw, limits.anonymousBytes, handler);
  ws.on("message", (data, binary) => {
    if (binary) handler.binary(data as Buffer);
    else handler.message(String(data));
  });
  ws.on("pong", () => handler.alive());
  ws.on("ping", () => handler.alive());
  ws.on("close", () => handler.closed());
  // An error is always followed by close, which cleans up.
  ws.on("error", () => {});
}

/** A frame is not counted before it is complete, and large frames may be allowed: without this, anonymous callers could fill the memory. */
function limitAnonymousBytes(ws: WebSocket, raw: Socket, limit: number, handler: SocketHandler): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.byteLength;
    if (handler.signedIn) raw.off("data", count);
    else if (received > limit) {
      raw.off("data", count);
      ws.close(closeCodes.badMessage, "too much data before the token");
      setImmediate(() => ws.terminate());
    }
  };
  raw.on("data", count);
}
