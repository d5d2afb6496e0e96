/**
 * The load of the floods row, in a process of its own: floods from one network for some time, over a
 * bounded number of connections, and reports the responses.
 */
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { floodKinds, type FloodMeans, type SocketFlood, type WireFlood } from "./flood-kinds.ts";

export interface FloodOrder extends FloodMeans {
  readonly port: number;
  readonly kind: string;
  /** The address that the trusted proxy would forward. */
  readonly network: string;
  readonly seconds: number;
  readonly connections: number;
}

export interface FloodReport {
  /** Counts by status or close code; `error` for a failed connection. */
  readonly answers: Readonly<Record<string, number>>;
  readonly perSecond: number;
}

type Report = (answer: string | number) => void;

async function calls(order: FloodOrder, report: Report, over: () => boolean): Promise<void> {
  const kind = floodKinds.find(({ name }) => name === order.kind);
  if (kind === undefined || !("call" in kind)) throw new Error(`${order.kind} is not a flood of calls`);
  const agent = new Agent({ keepAlive: true, maxSockets: order.connections });
  let next = 0;
  const one = (index: number) =>
    new Promise<void>((resolve) => {
      const { method, path, headers, body } = kind.call(index, order);
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const shared = { "x-rollcall": "1", "x-forwarded-for": order.network };
      const sent = request(
        { agent, host: "127.0.0.1", port: order.port, method, path, headers: { ...shared, ...length, ...headers } },
        (response) => {
          report(response.statusCode ?? 0);
          response.resume().on("close", resolve);
        },
      );
      sent.on("error", () => {
        report("error");
        resolve();
      });
      sent.end(body);
    });
  const connection = async () => {
    while (!over()) await one(next++);
  };
  await Promise.all(Array.from({ length: order.connections }, connection));
  agent.destroy();
}

/** What a socket does once it is open; returns the milliseconds until it closes, undefined for never. */
const acts: Readonly<Record<SocketFlood, (socket: WebSocket, order: FloodOrder) => void>> = {
  silent: () => undefined,
  pongs(socket) {
    const timer = setInterval(() => socket.pong(), 1000);
    socket.on("close", () => clearInterval(timer));
  },
  garbage: (socket) => socket.send(`{"type":${"[".repeat(2000)}`),
  "wrong token": (socket) => socket.send(JSON.stringify({ type: "auth", token: "x".repeat(200) })),
  "foreign origin": () => undefined,
  resume(socket, { followerToken }) {
    socket.send(JSON.stringify({ type: "auth", token: followerToken }));
    socket.send(JSON.stringify({ type: "subscribe", topic: "citizens" }));
    let after: { epoch: string; seq: number } | null = null;
    socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type: string; mode?: string; epoch?: string; seq?: number };
      if (message.type === "ping") socket.send('{"type":"pong"}');
      if (message.type !== "subscribed") return;
      after ??= { epoch: message.epoch ?? "", seq: Math.max(0, (message.seq ?? 0) - 1000) };
      socket.send(JSON.stringify({ type: "subscribe", topic: "citizens", after }));
    });
  },
};

async function sockets(act: SocketFlood, order: FloodOrder, report: Report, over: () => boolean): Promise<void> {
  const open = new Set<WebSocket>();
  const one = () =>
    new Promise<void>((resolve) => {
      const headers = { "x-forwarded-for": order.network };
      const origin = act === "foreign origin" ? { origin: "https://evil.example" } : {};
      const socket = new WebSocket(`ws://127.0.0.1:${order.port}/api/realtime`, { headers, ...origin, perMessageDeflate: false });
      open.add(socket);
      socket.on("open", () => {
        acts[act](socket, order);
        // Many are open at the same time: the next one does not wait for this one to end.
        resolve();
      });
      if (act === "resume")
        socket.on("message", (data: Buffer) => {
          const { type, mode } = JSON.parse(data.toString()) as { type: string; mode?: string };
          report(type === "subscribed" ? `subscribed, ${mode}` : type);
        });
      socket.on("unexpected-response", (_request, response) => {
        report(response.statusCode ?? 0);
        response.resume();
        socket.terminate();
      });
      socket.on("error", () => undefined);
      socket.on("close", (code) => {
        open.delete(socket);
        if (code !== 1006) report(`closed ${code}`);
        resolve();
      });
    });
  const connection = async () => {
    while (!over()) {
      await one();
      if (act === "resume") await pause(1000);
      while (open.size > 2000 && !over()) await pause(10);
    }
  };
  await Promise.all(Array.from({ length: act === "resume" ? 4 : order.connections }, connection));
  for (const socket of open) socket.terminate();
}

const heads: Readonly<Record<WireFlood, string>> = {
  "half a body":
    "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nX-Rollcall: 1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n",
  "slow head": "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
};

/** Connections that begin a request and never end it; at most as many at once as one machine has free ports. */
async function wires(act: WireFlood, order: FloodOrder, report: Report, over: () => boolean): Promise<void> {
  const open = new Set<ReturnType<typeof connect>>();
  while (!over()) {
    if (open.size >= 2000) await pause(10);
    else {
      const socket = connect(order.port, "127.0.0.1");
      open.add(socket);
      const end = act === "half a body" ? `X-Forwarded-For: ${order.network}\r\n\r\n{` : "";
      socket.write(heads[act] + end);
      const timer = setInterval(() => socket.write("x"), 1000);
      socket.on("data", (data: Buffer) => report(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1] ?? "data"));
      socket.on("error", () => undefined);
      socket.on("close", () => {
        clearInterval(timer);
        open.delete(socket);
      });
      report("begun");
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  for (const socket of open) socket.destroy();
}

async function flood(order: FloodOrder): Promise<FloodReport> {
  const answers: Record<string, number> = {};
  const report: Report = (answer) => void (answers[answer] = (answers[answer] ?? 0) + 1);
  const started = performance.now();
  const over = () => performance.now() - started > order.seconds * 1000;
  const kind = floodKinds.find(({ name }) => name === order.kind);
  if (kind === undefined) throw new Error(`${order.kind} is not a flood`);
  if ("sockets" in kind) await sockets(kind.sockets, order, report, over);
  else if ("wire" in kind) await wires(kind.wire, order, report, over);
  else await calls(order, report, over);
  const count = Object.values(answers).reduce((sum, one) => sum + one, 0);
  return { answers, perSecond: count / ((performance.now() - started) / 1000) };
}

process.on("message", (order: FloodOrder | "stop") => {
  if (order === "stop") process.exit(0);
  void flood(order).then(
    (report) => process.send!(report),
    (error: Error) => process.send!({ failed: error.message }),
  );
});
