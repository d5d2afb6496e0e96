/**
 * The load of the login row, in a process of its own: sends the requests that the parent orders over a
 * bounded number of persistent connections, as fast as possible or at a given rate, and reports the
 * responses.
 */
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

export interface RequestsOrder {
  readonly port: number;
  readonly connections: number;
  readonly count: number;
  /** Requests per second; as fast as responses arrive when omitted. */
  readonly perSecond?: number;
  /** Wrong passwords, or a path that does not exist. */
  readonly what: "guess" | "unknown";
  /** Number of addresses that are used in turn. */
  readonly addresses: number;
  /** The guessed account; when omitted, each guess is for another one. */
  readonly username?: string;
}

export interface RequestsReport {
  readonly seconds: number;
  /** Processor time of this process in milliseconds. */
  readonly cpu: number;
  readonly answers: Readonly<Record<string, number>>;
}

const spread = (index: number) => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

async function send(agent: Agent, order: RequestsOrder, index: number): Promise<number> {
  const guess = order.what === "guess";
  const username = order.username ?? `guess${index}`;
  const body = guess ? JSON.stringify({ username, password: "a guess" }) : "";
  return await new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: "127.0.0.1",
        port: order.port,
        method: guess ? "POST" : "GET",
        path: guess ? "/api/auth/login" : "/api/nothing/here",
        headers: {
          "x-rollcall": "1",
          "x-forwarded-for": order.addresses === 1 ? "203.0.113.1" : spread(index % order.addresses),
          ...(guess ? { "content-type": "application/json", "content-length": Buffer.byteLength(body) } : {}),
        },
      },
      (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0)),
    );
    sent.on("error", reject).end(body);
  });
}

async function work(order: RequestsOrder): Promise<RequestsReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: order.connections });
  const answers: Record<string, number> = {};
  const started = performance.now();
  const cpu = process.cpuUsage();
  let next = 0;
  async function connection(): Promise<void> {
    while (next < order.count) {
      const index = next++;
      const due = order.perSecond === undefined ? 0 : (index / order.perSecond) * 1000 - (performance.now() - started);
      if (due > 1) await pause(due);
      const status = await send(agent, order, index);
      answers[status] = (answers[status] ?? 0) + 1;
    }
  }
  await Promise.all(Array.from({ length: order.connections }, connection));
  agent.destroy();
  const used = process.cpuUsage(cpu);
  return { seconds: (performance.now() - started) / 1000, cpu: (used.user + used.system) / 1000, answers };
}

process.on("message", (order: RequestsOrder | "stop") => {
  if (order === "stop") process.exit(0);
  void work(order).then(
    (report) => process.send!(report),
    (error: Error) => process.send!({ failed: error.message }),
  );
});
