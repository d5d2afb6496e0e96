import { closeCodes, type ClientMessage, type ServerMessage } from "@rollcall/server/contract/core";
import type { Clock } from "#core/clock.ts";
import { isRecord } from "#core/problem.ts";
import { createStore, type Store } from "#core/store.ts";

export interface LineStatus {
  /** `stale`: connected, but the server itself receives no events. */
  readonly state: "connecting" | "up" | "stale" | "lost";
  /** When the server was last heard, by this device's clock; null before the first time. */
  readonly heard: number | null;
}

/** The part of a browser WebSocket that is used here. */
export interface Socket {
  send(text: string): void;
  close(code?: number): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface ConnectionParts {
  readonly open: () => Socket;
  readonly clock: Clock;
  /** A token that is good now; may wait for a new sign-in. */
  readonly token: () => Promise<string>;
  /** The server did not accept this token. */
  readonly refused: (token: string) => void;
  /** Signed in on this connection: topics can be asked for. */
  readonly onReady: () => void;
  readonly onMessage: (message: ServerMessage) => void;
  /** A binary frame of a state topic. */
  readonly onFrame?: (frame: Uint8Array) => void;
}

export interface Connection {
  readonly status: Store<LineStatus>;
  start(): void;
  stop(): void;
  send(message: ClientMessage): void;
  /** Looks at once whether the line still works: after sleep, or when the network came back. */
  check(): void;
  /** The session has a new token: the server should know it before the old one ends. */
  tokenChanged(): void;
}

/** Silence beyond the server's heartbeat after which it is asked for a sign of life. Milliseconds. */
const GRACE = 5_000;
/** Time for that sign, for opening and for signing in. Milliseconds. */
const PATIENCE = 10_000;
/** Closed for the sake of the token or the session: the next attempt needs a new token. */
const REFUSED: ReadonlySet<number> = new Set([closeCodes.unauthenticated, closeCodes.sessionEnded, closeCodes.tokenExpired]);
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
/** Without a connection for longer than this the line counts as lost. */
const LOST_AFTER = 2;

/** One line that comes back by itself, with growing pauses and jitter. */
export function createConnection(parts: ConnectionParts): Connection {
  return new BrowserConnection(parts);
}

class BrowserConnection implements Connection {
  readonly status = createStore<LineStatus>({ state: "connecting", heard: null });
  readonly #parts: ConnectionParts;
  #socket: Socket | null = null;
  #ready = false;
  #running = false;
  #failures = 0;
  #quiet = 25_000;
  /** The token that the server knows on this line. */
  #sent = "";
  #cancelTimer: () => void = () => {};

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#connect();
  }

  stop(): void {
    this.#running = false;
    this.#cancelTimer();
    this.#abandon(1000);
  }

  readonly send = (message: ClientMessage): void => {
    if (this.#ready) this.#socket?.send(JSON.stringify(message));
  };

  check(): void {
    if (!this.#running) return;
    if (this.#ready) this.#ask();
    else if (!this.#socket) this.#wait(0, () => this.#connect());
  }

  tokenChanged(): void {
    if (!this.#ready) return;
    this.#parts.token().then(
      (token) => {
        if (token === this.#sent) return;
        this.#sent = token;
        this.send({ type: "renew", token });
      },
      () => undefined,
    );
  }

  #connect(): void {
    let socket: Socket;
    try {
      socket = this.#parts.open();
    } catch {
      this.#again();
      return;
    }
    this.#socket = socket;
    socket.onopen = () => void this.#signIn(socket);
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#hear(data);
    };
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      if (REFUSED.has(code)) this.#parts.refused(this.#sent);
      this.#again();
    };
    this.#wait(PATIENCE, () => this.#drop());
  }

  async #signIn(socket: Socket): Promise<void> {
    this.#cancelTimer();
    try {
      const token = await this.#parts.token();
      if (this.#socket !== socket) return;
      this.#sent = token;
      socket.send(JSON.stringify({ type: "auth", token } satisfies ClientMessage));
      this.#wait(PATIENCE, () => this.#drop());
    } catch {
      if (this.#socket === socket) this.#drop();
    }
  }

  #hear(data: unknown): void {
    if (data instanceof ArrayBuffer && this.#ready) {
      this.#wait(this.#quiet, () => this.#ask());
      this.#parts.onFrame?.(new Uint8Array(data));
      return;
    }
    const message = parse(data);
    if (!message) return;
    this.#show(this.status.get().state, this.#parts.clock.now());
    if (message.type === "ready" && !this.#ready) {
      this.#ready = true;
      this.#failures = 0;
      this.#quiet = message.heartbeatMs + GRACE;
      this.#show(message.feed ? "up" : "stale");
      this.#parts.onReady();
    }
    if (!this.#ready) return;
    if (message.type === "feed") this.#show(message.up ? "up" : "stale");
    if (message.type === "ping") this.send({ type: "pong" });
    this.#wait(this.#quiet, () => this.#ask());
    this.#parts.onMessage(message);
  }

  /** Asks for a sign of life. */
  #ask(): void {
    if (!this.#ready) return;
    this.send({ type: "ping" });
    this.#wait(PATIENCE, () => this.#drop());
  }

  /** Gives this socket up without waiting for the network to agree. */
  #drop(): void {
    this.#abandon(4000);
    this.#again();
  }

  #abandon(code: number): void {
    const old = this.#socket;
    this.#socket = null;
    this.#ready = false;
    if (!old) return;
    old.onopen = old.onmessage = old.onclose = null;
    old.close(code);
  }

  #again(): void {
    this.#socket = null;
    this.#ready = false;
    if (!this.#running) return;
    this.#failures += 1;
    this.#show(this.#failures >= LOST_AFTER ? "lost" : "connecting");
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(this.#failures - 1, 10));
    this.#wait(pause * (0.5 + this.#parts.clock.random() / 2), () => this.#connect());
  }

  #wait(delay: number, action: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#parts.clock.after(delay, action);
  }

  #show(state: LineStatus["state"], heard = this.status.get().heard): void {
    this.status.set({ state, heard });
  }
}

function parse(data: unknown): ServerMessage | null {
  if (typeof data !== "string") return null;
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) && typeof value["type"] === "string" ? (value as unknown as ServerMessage) : null;
  } catch {
    return null;
  }
}
