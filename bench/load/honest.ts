import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { connectLive, type LiveClient } from "@rollcall/testkit/live.ts";

/** A signed-in user in a network of their own. */
export interface Visitor {
  readonly username: string;
  readonly password: string;
  readonly cookie: string;
  readonly token: string;
  readonly address: string;
}

export interface HonestReport {
  readonly times: readonly number[];
  /** `<status> <what>` of every refused request. */
  readonly refused: readonly string[];
}

interface Ask {
  readonly what: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Whole pages and lists, as a browser requests them during normal use. */
const asked: readonly ((visitor: Visitor) => Ask)[] = [
  ({ token }) => ({ what: "jobs", path: "/api/jobs", headers: { authorization: `Bearer ${token}` } }),
  ({ token }) => ({ what: "notices", path: "/api/notices", headers: { authorization: `Bearer ${token}` } }),
  ({ token }) => ({ what: "notifications", path: "/api/notifications/unread", headers: { authorization: `Bearer ${token}` } }),
  ({ cookie }) => ({ what: "characters", path: "/api/auth/characters", headers: { cookie } }),
  ({ token }) => ({ what: "search", path: "/api/search?q=anna", headers: { authorization: `Bearer ${token}` } }),
  () => ({ what: "the page", path: "/", headers: { accept: "text/html" } }),
  () => ({ what: "the sign-in page's options", path: "/api/auth/options" }),
];

export function send(port: number, address: string, ask: Ask): Promise<{ status: number; ms: number }> {
  const started = performance.now();
  const body = ask.body === undefined ? undefined : JSON.stringify(ask.body);
  return new Promise((resolve, reject) => {
    request(
      {
        host: "127.0.0.1",
        port,
        method: ask.method ?? (body === undefined ? "GET" : "POST"),
        path: ask.path,
        agent: false,
        headers: {
          "x-rollcall": "1",
          "x-forwarded-for": address,
          ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
          ...ask.headers,
        },
      },
      (response) =>
        response.resume().on("end", () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - started })),
    )
      .on("error", reject)
      .end(body);
  });
}

const restMs = 40;
const signInEveryMs = 2000;
const syncEveryMs = 500;
let synced = 0;

/** Honest clients, until `over`: users at work, one who signs in repeatedly, a live page and the game server. */
export async function honest(
  instance: { readonly url: string; readonly port: number; readonly syncToken: string },
  visitors: readonly Visitor[],
  over: () => boolean,
): Promise<HonestReport> {
  const times: number[] = [];
  const refused: string[] = [];
  async function ask(address: string, what: Ask): Promise<void> {
    const { status, ms } = await send(instance.port, address, what).catch((error: Error) => ({ status: error.message, ms: 0 }));
    if (typeof status === "number" && status < 400) times.push(ms);
    else refused.push(`${status} ${what.what}`);
  }
  async function works(visitor: Visitor, first: number): Promise<void> {
    for (let turn = first; !over(); turn += 1) {
      await ask(visitor.address, asked[turn % asked.length]!(visitor));
      await pause(restMs);
    }
  }
  async function signsIn({ username, password, address }: Visitor): Promise<void> {
    while (!over()) {
      await ask(address, { what: "sign-in", path: "/api/auth/login", body: { username, password } });
      await pause(signInEveryMs);
    }
  }
  async function plays(): Promise<void> {
    while (!over()) {
      synced += 1;
      const item = {
        identifier: "char1:bench",
        firstName: "Ben",
        lastName: `Ch${synced}`,
        jobs: [{ name: "unemployed", grade: 0 }],
      };
      await ask("192.0.2.99", {
        what: "sync",
        path: "/api/sync/v1/users",
        headers: { authorization: `Bearer ${instance.syncToken}` },
        body: { items: [item] },
      });
      await pause(syncEveryMs);
    }
  }
  const [first] = visitors;
  let live: LiveClient | null = null;
  try {
    const started = performance.now();
    live = await connectLive(instance.url, first!.token, { "x-forwarded-for": first!.address });
    live.send({ type: "subscribe", topic: "citizens" });
    await live.seen("subscribed");
    times.push(performance.now() - started);
    void live.closed.then(({ code }) => over() || refused.push(`${code} live page`));
  } catch (error) {
    refused.push(`${(error as Error).message} live page`);
  }
  const answering = setInterval(() => live?.send({ type: "pong" }), 5000);
  await Promise.all([...visitors.map(works), signsIn(first!), plays()]);
  clearInterval(answering);
  live?.close();
  return { times, refused };
}
