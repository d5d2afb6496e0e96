import { WebSocket } from "ws";
import type { ServerMessage } from "@rollcall/server/contract/core";

/** A live connection as a third-party client would open it. */
export interface LiveClient {
  readonly messages: readonly ServerMessage[];
  /** Frames of state topics. */
  readonly frames: readonly Uint8Array[];
  send(message: object): void;
  /** Resolves with the first message that matches, also an earlier one. */
  seen<T extends ServerMessage["type"]>(
    type: T,
    fits?: (message: Extract<ServerMessage, { type: T }>) => boolean,
  ): Promise<Extract<ServerMessage, { type: T }>>;
  readonly closed: Promise<{ code: number; reason: string }>;
  close(): void;
}

/** Connects and authenticates; rejects when the server refuses it. */
export async function connectLive(base: string, token: string, headers: Record<string, string> = {}): Promise<LiveClient> {
  const socket = new WebSocket(`${base.replace(/^http/, "ws")}/api/realtime`, { headers });
  const messages: ServerMessage[] = [];
  const frames: Uint8Array[] = [];
  const pending = new Set<() => void>();
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once("close", (code, reason) => resolve({ code, reason: String(reason) })),
  );
  socket.on("message", (data, binary) => {
    if (binary) return void frames.push(new Uint8Array(data as Buffer));
    messages.push(JSON.parse(String(data)) as ServerMessage);
    for (const check of pending) check();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
  });
  const client: LiveClient = {
    messages,
    frames,
    send: (message) => socket.send(JSON.stringify(message)),
    closed,
    close: () => socket.close(),
    async seen(type, fits = () => true) {
      return await new Promise((resolve, reject) => {
        const check = () => {
          const found = messages.find((message) => message.type === type && fits(message as never));
          if (!found) return;
          pending.delete(check);
          resolve(found as never);
        };
        pending.add(check);
        check();
        void closed.then(({ code, reason }) => reject(new Error(`closed with ${code} ${reason} before ${type}`)));
      });
    },
  };
  client.send({ type: "auth", token });
  await client.seen("ready");
  return client;
}
