import http from "node:http";
import { onTestFinished } from "vitest";
import { SyncError } from "./errors.ts";
import type { Receipt } from "./journal.ts";
import type { Transport } from "./transport.ts";

interface Stored {
  readonly id: string;
  readonly position: number;
  readonly kind: string;
  readonly payload: Record<string, unknown>;
  state: "open" | Receipt["outcome"];
  receipt: Receipt | null;
}

/** Requests and receipts as Rollcall keeps them, without deadlines. */
export class RequestModel {
  readonly stored: Stored[] = [];
  /** All receipts that arrived, repeated ones too. */
  readonly arrived: Receipt[] = [];
  epoch = "epoch-1";
  expiresInMs = 60_000;
  #last = 0;

  send(kind: string, payload: Record<string, unknown> = {}): string {
    this.#last += 1;
    const id = `request-${String(this.#last).padStart(4, "0")}`;
    this.stored.push({ id, position: this.#last, kind, payload, state: "open", receipt: null });
    return id;
  }

  find(id: string): Stored {
    return this.stored.find((one) => one.id === id)!;
  }

  get allEnded(): boolean {
    return this.stored.every(({ state }) => state !== "open");
  }

  /** As after a restore: what became of the requests is forgotten, and positions begin another epoch. */
  restore(): void {
    this.epoch = `epoch-${Number(this.epoch.slice(6)) + 1}`;
    for (const one of this.stored) Object.assign(one, { state: "open", receipt: null });
  }

  poll(query: URLSearchParams) {
    const foreign = query.get("epoch") !== this.epoch || Number(query.get("after")) > this.#last;
    const after = foreign ? 0 : Number(query.get("after"));
    const open = this.stored.filter(({ position, state }) => position > after && state === "open").slice(0, 3);
    const requests = open.map(({ id, position, kind, payload }) => {
      return { id, position, kind, payload, sentAt: 1, expiresInMs: this.expiresInMs };
    });
    return { requests, epoch: this.epoch, position: open.at(-1)?.position ?? this.#last, reset: foreign };
  }

  receive({ receipts }: { readonly receipts: readonly Receipt[] }) {
    for (const receipt of receipts) {
      this.arrived.push(receipt);
      const one = this.stored.find(({ id }) => id === receipt.id);
      if (one?.state !== "open") continue;
      one.state = receipt.outcome;
      one.receipt = receipt;
    }
    return { accepted: receipts.length, unchanged: 0, missing: [] };
  }

  answer(method: string, path: string, body: string | null): unknown {
    const url = new URL(path, "http://x");
    if (method === "GET") return this.poll(url.searchParams);
    return this.receive(JSON.parse(body ?? "") as { receipts: Receipt[] });
  }
}

/** A transport to the model; `around` may lose a call before or after its effect. */
export function modelTransport(
  model: RequestModel,
  around: (work: () => unknown) => Promise<unknown> = async (work) => work(),
): Transport {
  return { call: async (method, path, body) => await around(() => model.answer(method, path, body)), close: () => undefined };
}

export const lostCall = () => new SyncError("the network is gone", { code: "client.network" });

/** The model as a server. A poll that finds nothing is answered when something is sent, or with nothing once the client is gone. */
export async function requestServer(model: RequestModel) {
  const waiting = new Set<() => void>();
  /** Called before a call is answered, and before it has an effect; when it returns false, the call is not answered. */
  let before: (method: string) => boolean | void = () => undefined;
  let after: (method: string) => boolean | void = () => undefined;
  /** A request whose receipt is answered with an error of the server, alone or with others. */
  let failing: string | null = null;
  /** Another sync token serves the game server. */
  let taken = false;
  const calls: { method: string; path: string }[] = [];

  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    const { method = "", url = "" } = request;
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      calls.push({ method, path: url });
      if (before(method) === false) return void request.socket.destroy();
      if (failing !== null && method === "POST" && Buffer.concat(parts).includes(failing)) {
        const problem = { status: 500, code: "system.internal", title: "Failed" };
        return void response.writeHead(500, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
      }
      if (taken) {
        const problem = { status: 409, code: "gamerequests.sourceTaken", title: "Taken", params: { source: "city-1" } };
        return void response.writeHead(409, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
      }
      const reply = () => {
        const answer = model.answer(method, url, Buffer.concat(parts).toString());
        const isIdle = method === "GET" && (answer as { requests: unknown[] }).requests.length === 0;
        const query = new URL(url, "http://x").searchParams;
        if (isIdle && query.get("wait") !== "0" && query.get("epoch") === model.epoch) {
          waiting.add(reply);
          response.on("close", () => waiting.delete(reply));
          return;
        }
        waiting.delete(reply);
        if (after(method) === false) return void request.socket.destroy();
        response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
      };
      reply();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    calls,
    get idle() {
      return waiting.size > 0;
    },
    take: (on: boolean) => void (taken = on),
    failReceiptsOf: (id: string | null) => void (failing = id),
    wake: () => [...waiting].forEach((reply) => reply()),
    onCall: (hooks: { before?: typeof before; after?: typeof after }) => {
      before = hooks.before ?? (() => undefined);
      after = hooks.after ?? (() => undefined);
    },
  };
}
