import http from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { createClient, type SyncClient, type SyncClientOptions } from "./client.ts";
import type { SyncEvent } from "./events.ts";
import type { PublishedLimits } from "./operations.ts";
import type { Timing } from "./retry.ts";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: {
    source?: string;
    items?: Record<string, unknown>[];
    identifiers?: string[];
    plates?: string[];
    names?: string[];
    types?: string[];
    ids?: string[];
    confirm?: number;
  };
  readonly bytes: number;
  readonly socket: object;
}

type Fault = { status: number; headers?: Record<string, string>; body?: unknown } | "reset" | "hang" | "half" | "html";

/** A Sync API that records what it stored, in order, and fails on demand. */
export async function fakeServer(limits: PublishedLimits = { batchItems: 3, bodyBytes: 4000, manifestIds: 100 }) {
  const received: Received[] = [];
  const faults: (Fault | null)[] = [];
  const stored: string[] = [];
  let always: Fault | null = null;
  let listener: (() => void) | null = null;

  function answer(request: Received): { status: number; body: unknown } {
    if (request.path.endsWith("/status")) return { status: 200, body: { version: "9", api: "v1", limits, kinds: [] } };
    if (request.path.includes("/manifest/")) return { status: 200, body: { removed: 1, missingHere: [], missingHereTotal: 0 } };
    const { identifiers, plates, names, types } = request.body;
    const deletions = identifiers ?? plates ?? names ?? types;
    if (deletions?.includes("bad"))
      return {
        status: 400,
        body: { title: "The input is not valid.", code: "system.invalidInput", traceId: "t-1", params: {} },
      };
    const ids =
      deletions ?? (request.body.items ?? []).map((item) => String(item["identifier"] ?? item["plate"] ?? item["name"]));
    const rejected = ids.flatMap((id, index) =>
      id.startsWith("bad") ? [{ index, id, code: "sync.itemInvalid", message: "firstName is missing" }] : [],
    );
    stored.push(...ids.filter((id) => !id.startsWith("bad")));
    return { status: 200, body: { accepted: ids.length - rejected.length, unchanged: 0, rejected } };
  }

  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const raw = Buffer.concat(parts);
      const body = raw.length === 0 ? {} : (JSON.parse(raw.toString()) as Received["body"]);
      const one = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
        bytes: raw.length,
        socket: request.socket,
      };
      received.push(one);
      const fault = faults.shift() ?? always;
      if (fault === "reset") request.socket.destroy();
      else if (fault === "half") {
        response.writeHead(200, { "content-length": "100" });
        response.write("{", () => request.socket.destroy());
      } else if (fault === "html") response.writeHead(200, { "content-type": "text/html" }).end("<html>");
      else if (fault !== "hang") {
        const { status, body: reply } = fault ? { body: {}, ...fault } : answer(one);
        response
          .writeHead(status, {
            "content-type": "application/json",
            ...(typeof fault === "object" && fault?.headers),
          })
          .end(JSON.stringify(reply));
      }
      listener?.();
    });
  });
  const listen = async (port: number) => await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server.address() as { port: number };
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    stored,
    limits,
    /** The next calls fail this way, one each; null for one that does not. */
    fail: (...next: (Fault | null)[]) => void faults.push(...next),
    failAlways: (fault: Fault | null) => void (always = fault),
    stop: close,
    start: async () => await listen(port),
    /** Resolves once so many calls came. */
    calls: async (count: number) =>
      await new Promise<void>((resolve) => {
        const look = () => (received.length >= count ? resolve() : undefined);
        listener = look;
        look();
      }),
    sends: () => received.filter(({ path }) => !path.endsWith("/status")),
  };
}

/** Time that passes only in `sleep`, at once unless it is paused. Limits of time are reached only when a test says so. */
export function testTiming() {
  const slept: number[] = [];
  const limits = new Map<() => void, number>();
  let now = 0;
  let held: (() => void)[] | null = null;
  let onSleep: (() => void) | null = null;
  const timing: Timing = {
    now: () => now,
    date: () => 1_790_000_000_000 + now,
    random: () => 1,
    after(ms, action) {
      const reached = () => action();
      limits.set(reached, ms);
      return () => void limits.delete(reached);
    },
    sleep: async (ms, signal) => {
      slept.push(ms);
      now += ms;
      onSleep?.();
      if (held === null) return;
      await new Promise<void>((resolve) => {
        held?.push(resolve);
        signal.addEventListener("abort", () => resolve());
      });
    },
  };
  return {
    timing,
    slept,
    advance: (ms: number) => void (now += ms),
    /** The limits that are running, in milliseconds. */
    limits: () => [...limits.values()],
    /** Those of so many milliseconds; all of them when left out. */
    reachLimits(ms?: number) {
      for (const [reached, limit] of limits) if (ms === undefined || limit === ms) reached();
    },
    hold: () => void (held = []),
    /** Resolves at the next pause. */
    pause: async () => await new Promise<void>((resolve) => (onSleep = resolve)),
    release() {
      const waiting = held ?? [];
      held = null;
      for (const resolve of waiting) resolve();
    },
  };
}

/** Time that passes only in `advance`, sleep by sleep. */
export function steppedTiming() {
  const sleeps = new Set<{ at: number; wake(): void }>();
  let [now, back] = [0, 0];
  /** Answers of a server on this machine have arrived after a few turns. */
  const settled = async () => {
    for (let i = 0; i < 50; i += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const timing: Timing = {
    now: () => now,
    date: () => 1_790_000_000_000 + now - back,
    random: () => 1,
    after: () => () => undefined,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const sleep = {
          at: now + ms,
          wake() {
            sleeps.delete(sleep);
            resolve();
          },
        };
        sleeps.add(sleep);
        signal.addEventListener("abort", sleep.wake);
      }),
  };
  return {
    timing,
    settled,
    /** The clock of the machine is set back. */
    setBack: (ms: number) => void (back += ms),
    async advance(ms: number) {
      const until = now + ms;
      for (;;) {
        await settled();
        const [next] = [...sleeps].sort((a, b) => a.at - b.at);
        if (next === undefined || next.at > until) break;
        now = Math.max(now, next.at);
        next.wake();
      }
      now = until;
    },
  };
}

export function openClient(options: Partial<SyncClientOptions> & { url: string }, timing: Timing) {
  const events: SyncEvent[] = [];
  const client: SyncClient = createClient(
    { token: "a-token", source: "city-1", onEvent: (event) => events.push(event), ...options },
    timing,
  );
  onTestFinished(async () => await client.close());
  return { client, events, typesOf: () => events.map(({ type }) => type) };
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), "rollcall-sdk-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export const user = (identifier: string) => ({
  identifier,
  firstName: "Mara",
  lastName: "Lind",
  jobs: [{ name: "police", grade: 3 }],
});
