import { closeCodes } from "@rollcall/server/contract/core";
import { wallboardTopic } from "@rollcall/server/contract/wallboard";
import type { Clock } from "#core/clock.ts";

/** The part of a browser WebSocket that is used here. */
export interface BoardSocket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface BoardLineOptions {
  readonly secret: string;
  readonly clock: Clock;
  open(): BoardSocket;
  /** Something may have changed: also once it follows. */
  onChange(): void;
  /** Whether it follows. */
  onState(up: boolean): void;
  /** The link was revoked or has expired. */
  onEnded(): void;
}

/** Between two attempts to connect. Milliseconds. */
const AGAIN = 3_000;
/** Between two signs of life: the server closes a silent connection. Milliseconds. */
const PING = 20_000;

/** Follows the board with the secret of a link, until the function that it returns is called. */
export function followBoard({ secret, clock, open, onChange, onState, onEnded }: BoardLineOptions): () => void {
  let stopped = false;
  let socket: BoardSocket | null = null;
  let cancel: () => void = () => undefined;
  const ping = () => {
    socket?.send(JSON.stringify({ type: "ping" }));
    cancel = clock.after(PING, ping);
  };
  const connect = () => {
    const opened = open();
    socket = opened;
    opened.onopen = () => opened.send(JSON.stringify({ type: "link", secret }));
    opened.onmessage = ({ data }) => {
      if (stopped || typeof data !== "string") return;
      const { type } = JSON.parse(data) as { readonly type?: string };
      if (type === "ready") {
        opened.send(JSON.stringify({ type: "subscribe", topic: wallboardTopic.name }));
        onState(true);
        cancel = clock.after(PING, ping);
      }
      if (type === "ready" || type === "event" || type === "snapshot") onChange();
    };
    opened.onclose = ({ code }) => {
      if (stopped) return;
      cancel();
      onState(false);
      if (code === closeCodes.linkEnded || code === closeCodes.unauthenticated) onEnded();
      else cancel = clock.after(AGAIN, connect);
    };
  };
  connect();
  return () => {
    stopped = true;
    cancel();
    socket?.close();
  };
}
