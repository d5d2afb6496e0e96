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
/** Between two pings; without any message in this time the connection counts as lost. Milliseconds. */
const PING = 5_000;
/** As a browser closes a connection that broke. */
const SILENT = 1006;

/** Follows the board with the secret of a link, until the function that it returns is called. */
export function followBoard({ secret, clock, open, onChange, onState, onEnded }: BoardLineOptions): () => void {
  let stopped = false;
  let socket: BoardSocket | null = null;
  let answered = true;
  let cancel: () => void = () => undefined;
  const lost = (from: BoardSocket, code: number) => {
    if (stopped || socket !== from) return;
    socket = null;
    cancel();
    onState(false);
    if (code === closeCodes.linkEnded || code === closeCodes.unauthenticated) onEnded();
    else cancel = clock.after(AGAIN, connect);
  };
  /** A connection that broke without a word never closes by itself. */
  const ping = (of: BoardSocket) => {
    if (!answered) {
      of.close();
      lost(of, SILENT);
      return;
    }
    answered = false;
    of.send(JSON.stringify({ type: "ping" }));
    cancel = clock.after(PING, () => ping(of));
  };
  const connect = () => {
    const opened = open();
    socket = opened;
    answered = true;
    opened.onopen = () => opened.send(JSON.stringify({ type: "link", secret }));
    opened.onmessage = ({ data }) => {
      if (stopped || socket !== opened || typeof data !== "string") return;
      answered = true;
      const { type } = JSON.parse(data) as { readonly type?: string };
      if (type === "ready") {
        opened.send(JSON.stringify({ type: "subscribe", topic: wallboardTopic.name }));
        cancel = clock.after(PING, () => ping(opened));
      }
      if (type === "ping") opened.send(JSON.stringify({ type: "pong" }));
      if (type === "subscribed") onState(true);
      if (type === "subscribed" || type === "event") onChange();
    };
    opened.onclose = ({ code }) => lost(opened, code);
  };
  connect();
  return () => {
    stopped = true;
    cancel();
    socket?.close();
  };
}
