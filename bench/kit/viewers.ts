import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocketServer } from "ws";
import type { ViewersOrder } from "../load/viewers.ts";

export interface ViewersReport {
  readonly latencies: number[];
  readonly dropped: number;
}

/** The process of the viewers. */
export class Viewers {
  readonly #child: ChildProcess = fork(path.resolve(import.meta.dirname, "../load/viewers.ts"));

  async #ask(message: ViewersOrder | "report" | "close"): Promise<unknown> {
    this.#child.send(message);
    const [answer] = (await once(this.#child, "message")) as [unknown];
    const { failed } = (typeof answer === "object" ? answer : {}) as { failed?: string };
    if (failed !== undefined) throw new Error(failed);
    return answer;
  }

  async open(order: ViewersOrder): Promise<void> {
    await this.#ask(order);
  }

  /** Waits until everything has arrived, or nothing more does. */
  async received(expected: number): Promise<ViewersReport> {
    const all: number[] = [];
    for (let tries = 0; ; tries++) {
      const { latencies, dropped } = (await this.#ask("report")) as ViewersReport;
      all.push(...latencies);
      if (all.length >= expected || tries >= 50) return { latencies: all, dropped };
      await pause(100);
    }
  }

  async close(): Promise<void> {
    await this.#ask("close");
  }

  end(): void {
    this.#child.kill();
  }
}

export interface Broadcast {
  readonly viewers: number;
  readonly messages: number;
  readonly everyMs: number;
  /** Of each message. */
  readonly bytes: number;
}

/** Baseline: messages of the same size to as many sockets, from a plain WebSocket server. */
export async function broadcast(group: Viewers, { viewers, messages, everyMs, bytes }: Broadcast): Promise<ViewersReport> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await group.open({
    url: `ws://127.0.0.1:${port}`,
    origin: "http://localhost",
    tokens: [],
    socketsPerToken: viewers,
    topic: "",
  });
  const padding = "x".repeat(bytes);
  for (let i = 0; i < messages; i++) {
    const message = JSON.stringify({ type: "event", at: Date.now(), data: padding });
    for (const socket of server.clients) socket.send(message);
    await pause(everyMs);
  }
  const report = await group.received(messages * viewers);
  await group.close();
  server.close();
  return report;
}
