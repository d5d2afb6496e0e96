import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { endWithTests } from "./children.ts";
import type { SenderOrder } from "./sender.fixture.ts";

const fixture = path.resolve(import.meta.dirname, "sender.fixture.ts");

/** A range of users that the client acknowledged. */
export interface Acknowledged {
  readonly from: number;
  readonly to: number;
  readonly how: "stored" | "queued";
  readonly accepted: number;
}

/** The folder of one sender: its queue and its ledger survive its processes. */
export interface SenderHome {
  readonly queueDir: string;
  readonly ledger: string;
  acknowledged(): Acknowledged[];
  remove(): void;
}

export function makeSenderHome(): SenderHome {
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-sender-"));
  const ledger = path.join(folder, "ledger");
  return {
    queueDir: path.join(folder, "queue"),
    ledger,
    acknowledged() {
      const lines = existsSync(ledger) ? readFileSync(ledger, "utf8").split("\n").slice(0, -1) : [];
      return lines.map((line) => {
        const [from, to, how, accepted] = line.split(" ");
        return { from: Number(from), to: Number(to), how: how as Acknowledged["how"], accepted: Number(accepted) };
      });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface Sender {
  readonly child: ChildProcess;
  /** Resolves once this process has that many users acknowledged; rejects when it failed. */
  reached(count: number): Promise<void>;
  /** Resolves when everything was sent; rejects when it failed. */
  readonly done: Promise<void>;
  kill(): Promise<void>;
}

export function startSender(order: SenderOrder): Sender {
  const child = endWithTests(spawn(process.execPath, [fixture, JSON.stringify(order)], { stdio: ["ignore", "pipe", "pipe"] }));
  let output = "";
  let errors = "";
  let acknowledged = 0;
  let killed = false;
  const pending = new Set<() => void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    acknowledged = Number(/acknowledged (\d+)\n(?!.*acknowledged \d+\n)/s.exec(output)?.[1] ?? 0);
    for (const check of pending) check();
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const done = exited.then((code) => {
    if (!killed && code !== 0) throw new Error(`the sender ended with ${code}: ${errors}`);
  });
  done.catch(() => undefined);
  return {
    child,
    done,
    async reached(count) {
      await new Promise<void>((resolve, reject) => {
        const check = () => {
          if (acknowledged < count) return;
          pending.delete(check);
          resolve();
        };
        pending.add(check);
        check();
        done.then(() => (acknowledged < count ? reject(new Error(`the sender ended at ${acknowledged}`)) : undefined), reject);
      });
    },
    async kill() {
      killed = true;
      child.kill("SIGKILL");
      await exited;
    },
  };
}
