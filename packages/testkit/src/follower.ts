import { WebSocket } from "ws";
import type { ServerMessage } from "@rollcall/server/contract/core";

interface Shown {
  readonly id: number;
  readonly version: number;
  readonly firstName: string;
  readonly lastName: string;
}

export interface FollowerOptions {
  readonly url: string;
  /** Returns a fresh token; called for each connection, may reject while the server is down. */
  readonly token: () => Promise<string>;
  /** Reads all rows, as a page does after mode `live` or `snapshot`; may reject while the server is down. */
  readonly read: () => Promise<readonly Shown[]> | readonly Shown[];
  /** Left out, `citizens`. */
  readonly topic?: string;
  /** The rows in a message of the topic; left out, its `items`. */
  readonly rowsOf?: (data: unknown) => readonly Shown[];
}

const againMs = 100;
const pause = async () => await new Promise((resolve) => setTimeout(resolve, againMs));

/**
 * A page that follows a topic through outages of any kind: it resumes from its position,
 * reads again after a snapshot, applies rows by version and records every gap that was not announced.
 */
export class Follower {
  readonly gaps: string[] = [];
  readonly modes = { live: 0, resumed: 0, snapshot: 0 };
  readonly closes: number[] = [];
  readonly #options: FollowerOptions;
  readonly #rows = new Map<number, Shown>();
  readonly #reading = new Set<Promise<void>>();
  #position: { epoch: string; seq: number } | null = null;
  #socket: WebSocket | null = null;
  #stopped = false;
  #running: Promise<void>;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** `id<TAB>version` of each row, sorted. */
  get rows(): string[] {
    return [...this.#rows.values()].map(({ id, version }) => `${id}\t${version}`).toSorted();
  }

  knows(lastName: string): boolean {
    return [...this.#rows.values()].some((row) => row.lastName === lastName);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#reading);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#socket?.terminate();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#connection(await this.#options.token());
      } catch {
        // The server is down: retry.
      }
      if (!this.#stopped) await pause();
    }
  }

  async #connection(token: string): Promise<void> {
    const socket = new WebSocket(`${this.#options.url.replace(/^http/, "ws")}/api/realtime`);
    this.#socket = socket;
    const send = (message: object) => socket.send(JSON.stringify(message));
    socket.on("open", () => send({ type: "auth", token }));
    socket.on("message", (data) => {
      const message = JSON.parse(String(data)) as ServerMessage;
      if (message.type === "ping") send({ type: "pong" });
      if (message.type === "ready")
        send({
          type: "subscribe",
          topic: this.#options.topic ?? "citizens",
          ...(this.#position ? { after: this.#position } : {}),
        });
      if (message.type === "subscribed") this.#subscribed(message);
      if (message.type === "event") this.#event(message);
    });
    await new Promise<void>((resolve) => {
      socket.on("error", () => undefined);
      socket.once("close", (code) => {
        this.closes.push(code);
        resolve();
      });
    });
  }

  #subscribed({ mode, epoch, seq }: Extract<ServerMessage, { type: "subscribed" }>): void {
    if (mode === "state") return;
    this.modes[mode] += 1;
    const known = this.#position;
    if (mode === "resumed" && (known === null || known.seq !== seq || known.epoch !== epoch))
      this.gaps.push(`resumed at ${epoch}/${seq}, known is ${known?.epoch}/${known?.seq}`);
    this.#position = { epoch, seq };
    if (mode !== "resumed") this.#readAnew();
  }

  #event(message: Extract<ServerMessage, { type: "event" }>): void {
    const { epoch, seq, prev, data } = message;
    const known = this.#position;
    if (known?.epoch !== epoch || known.seq !== prev)
      this.gaps.push(`event ${epoch}/${seq} after ${prev}, known is ${known?.epoch}/${known?.seq}`);
    this.#position = { epoch, seq };
    this.#apply(this.#options.rowsOf?.(data) ?? (data as { items: Shown[] }).items);
  }

  #apply(rows: readonly Shown[]): void {
    for (const row of rows) if ((this.#rows.get(row.id)?.version ?? 0) < row.version) this.#rows.set(row.id, row);
  }

  #readAnew(): void {
    const reading = (async () => {
      while (!this.#stopped) {
        try {
          this.#apply(await this.#options.read());
          return;
        } catch {
          await pause();
        }
      }
    })();
    this.#reading.add(reading);
    void reading.then(() => this.#reading.delete(reading));
  }
}
