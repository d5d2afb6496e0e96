import { closeCodes, type ClientMessage, type ServerMessage } from "@rollcall/server/contract/core";
import type { Clock } from "#core/clock.ts";
import { isRecord } from "#core/problem.ts";
import { createStore, type Store } from "#core/store.ts";

export interface ConnectionStatus {
  /** `stale`: connected, but the server itself receives no events. */
  readonly state: "connecting" | "up" | "stale" | "lost";
  /** When the last message of the server arrived, by this device's clock; null before the first one. */
  readonly lastMessageAt: number | null;
}

/** The part of a browser WebSocket that is used here. */
export interface Socket {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface ConnectionOptions {
  readonly open: () => Socket;
  readonly clock: Clock;
  /** A valid token; may wait for a new sign-in. */
  readonly token: () => Promise<string>;
  /** The server did not accept this token. */
  readonly refused: (token: string) => void;
  /** Signed in on this connection: topics can be subscribed to. */
  readonly onReady: () => void;
  readonly onMessage: (message: ServerMessage) => void;
  /** A binary frame of a state topic. */
  readonly onFrame?: (frame: Uint8Array) => void;
  /** Whether somebody looks at the page now, and must know within two seconds that the connection broke. */
  readonly watched?: () => boolean;
}

export interface Connection {
  readonly status: Store<ConnectionStatus>;
  start(): void;
  stop(): void;
  send(message: ClientMessage): void;
  /** The browser reports that it has no network. */
  offline(): void;
  /** Checks at once whether the connection still works: after sleep, or when the network is back. */
  check(): void;
  /** The server answered a call, so that a new connection may be tried before its turn. */
  answered(): void;
  /** The session has a new token: sends it to the server before the old one expires. */
  tokenChanged(): void;
}

/** `readyState` of a connection on which messages can be sent; it changes before `onclose` is called. */
const OPEN = 1;
/** Silence after which a ping is sent while somebody looks at the page. Milliseconds. */
const WATCHED = 1_000;
/** How long the answer may take before the connection counts as lost, unless earlier ones took longer. Milliseconds. */
const PATIENCE = 900;
const MOST_PATIENCE = 5_000;
/** The same for a new connection in the place of one that was closed. Milliseconds. */
const REPLACED_WITHIN = 1_500;
/** Silence beyond the server's heartbeat interval after which a ping is sent. Milliseconds. */
const GRACE = 5_000;
/** Timeout of the ping, of opening and of signing in. Milliseconds. */
const TIMEOUT = 10_000;
/** Close codes that concern the token or the session: the next attempt needs a new token. */
const REFUSED: ReadonlySet<number> = new Set([closeCodes.unauthenticated, closeCodes.sessionEnded, closeCodes.tokenExpired]);
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 30_000;
/** The same while somebody looks at the page: 2,000 pages are then some 500 attempts a second, which a server refuses without work. */
const LONGEST_WATCHED = 5_000;
/** Answered calls lead to no more attempts than one in this time, where a proxy passes calls and no connections. */
const BETWEEN_ANSWERS = 1_000;
/** Failed attempts after which the connection counts as lost. */
const LOST_AFTER = 2;

/** A connection that reconnects by itself, with growing pauses and jitter. */
export function createConnection(options: ConnectionOptions): Connection {
  return new BrowserConnection(options);
}

class BrowserConnection implements Connection {
  readonly status = createStore<ConnectionStatus>({ state: "connecting", lastMessageAt: null });
  readonly #options: ConnectionOptions;
  #socket: Socket | null = null;
  #ready = false;
  #running = false;
  #failures = 0;
  #quiet = 25_000;
  /** The token that the server has on this connection. */
  #sent = "";
  #cancelTimer: () => void = () => {};
  #cancelLost: () => void = () => {};
  /** Whether the server receives events, by its last message about that. */
  #feed = true;
  /** When the ping was sent that is not answered yet. */
  #askedAt: number | null = null;
  #patience = PATIENCE;
  /** When the last attempt to connect began, or ended. */
  #triedAt = -Infinity;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#connect();
  }

  stop(): void {
    this.#running = false;
    this.#cancelTimer();
    this.#cancelLost();
    this.#abandon(1000);
  }

  readonly send = (message: ClientMessage): void => {
    if (this.#ready && this.#socket?.readyState === OPEN) this.#socket.send(JSON.stringify(message));
  };

  offline(): void {
    if (this.#running) this.#show("lost");
    this.check();
  }

  check(): void {
    if (!this.#running) return;
    if (this.#ready) this.#ask();
    else if (!this.#socket) this.#wait(0, () => this.#connect());
  }

  answered(): void {
    const isWaiting = this.#running && !this.#socket;
    if (isWaiting && this.#options.clock.now() - this.#triedAt >= BETWEEN_ANSWERS) this.#wait(0, () => this.#connect());
  }

  tokenChanged(): void {
    if (!this.#ready) return;
    this.#options.token().then(
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
    this.#triedAt = this.#options.clock.now();
    try {
      socket = this.#options.open();
    } catch {
      this.#again();
      return;
    }
    this.#socket = socket;
    socket.onopen = () => void this.#signIn(socket);
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#receive(data);
    };
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket) return;
      if (REFUSED.has(code)) this.#options.refused(this.#sent);
      this.#again();
    };
    this.#wait(TIMEOUT, () => this.#drop());
  }

  async #signIn(socket: Socket): Promise<void> {
    this.#cancelTimer();
    try {
      const token = await this.#options.token();
      if (this.#socket !== socket) return;
      // Also while it closes: the end of the closing may never be reported.
      this.#wait(TIMEOUT, () => this.#drop());
      if (socket.readyState !== OPEN) return;
      this.#sent = token;
      socket.send(JSON.stringify({ type: "auth", token } satisfies ClientMessage));
    } catch {
      if (this.#socket === socket) this.#drop();
    }
  }

  #receive(data: unknown): void {
    if (data instanceof ArrayBuffer && this.#ready) {
      this.#heard();
      this.#options.onFrame?.(new Uint8Array(data));
      return;
    }
    const message = parse(data);
    if (!message) return;
    this.#show(this.status.get().state, this.#options.clock.now());
    if (message.type === "ready" && !this.#ready) {
      this.#ready = true;
      this.#failures = 0;
      this.#quiet = message.heartbeatMs + GRACE;
      this.#feed = message.feed;
      this.#show(message.feed ? "up" : "stale");
      this.#options.onReady();
    }
    if (!this.#ready) return;
    if (message.type === "feed") this.#feed = message.up;
    if (message.type === "ping") this.send({ type: "pong" });
    this.#heard();
    this.#options.onMessage(message);
  }

  /** Something arrived: the connection works. */
  #heard(): void {
    const { clock, watched } = this.#options;
    this.#cancelLost();
    if (this.#askedAt !== null) {
      // A slow network is not a lost one.
      this.#patience = Math.min(MOST_PATIENCE, Math.max(PATIENCE, (clock.now() - this.#askedAt) * 3));
      this.#askedAt = null;
    }
    this.#show(this.#feed ? "up" : "stale");
    this.#wait(watched?.() === true ? WATCHED : this.#quiet, () => this.#ask());
  }

  /** Sends a ping and expects an answer in time. */
  #ask(): void {
    if (!this.#ready) return;
    this.send({ type: "ping" });
    this.#askedAt ??= this.#options.clock.now();
    if (this.#options.watched?.() === true) this.#loseAfter(this.#patience);
    this.#wait(TIMEOUT, () => this.#drop());
  }

  /** The connection counts as lost unless something arrives by then; it is kept, because that may be late. */
  #loseAfter(delay: number): void {
    this.#cancelLost();
    this.#cancelLost = this.#options.clock.after(delay, () => this.#show("lost"));
  }

  /** Abandons this socket without waiting for the closing handshake. */
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
    const wasReady = this.#failures === 0 && this.status.get().lastMessageAt !== null;
    this.#socket = null;
    this.#ready = false;
    this.#askedAt = null;
    if (!this.#running) return;
    this.#failures += 1;
    const isLost = this.#failures >= LOST_AFTER || this.status.get().state === "lost";
    this.#show(isLost ? "lost" : "connecting");
    if (wasReady && !isLost) this.#loseAfter(REPLACED_WITHIN);
    this.#triedAt = this.#options.clock.now();
    const longest = this.#options.watched?.() === true ? LONGEST_WATCHED : LONGEST_PAUSE;
    const pause = Math.min(longest, FIRST_PAUSE * 2 ** Math.min(this.#failures - 1, 10));
    this.#wait(pause * (0.5 + this.#options.clock.random() / 2), () => this.#connect());
  }

  #wait(delay: number, action: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#options.clock.after(delay, action);
  }

  #show(state: ConnectionStatus["state"], lastMessageAt = this.status.get().lastMessageAt): void {
    const shown = this.status.get();
    if (shown.state !== state || shown.lastMessageAt !== lastMessageAt) this.status.set({ state, lastMessageAt });
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
