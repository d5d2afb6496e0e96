import { spawn } from "node:child_process";
import path from "node:path";
import type { HolderOrder, HolderEvent } from "./holder.fixture.ts";

const fixture = path.resolve(import.meta.dirname, "holder.fixture.ts");

export interface Holder {
  send(command: string): void;
  signal(name: NodeJS.Signals): void;
  /** Resolves with the first event that matches, also an earlier one. */
  seen(matches: (what: HolderEvent) => boolean): Promise<HolderEvent>;
  end(): Promise<void>;
}

export function startHolder(order: HolderOrder): Holder {
  const child = spawn(process.execPath, [fixture, JSON.stringify(order)], { stdio: ["pipe", "pipe", "pipe"] });
  const events: HolderEvent[] = [];
  let output = "";
  let errors = "";
  const pending = new Set<() => void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    const lines = output.split("\n");
    output = lines.pop() ?? "";
    events.push(...lines.map((line) => JSON.parse(line) as HolderEvent));
    for (const check of pending) check();
  });
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    send: (command) => void child.stdin.write(`${command}\n`),
    signal: (name) => void child.kill(name),
    async seen(matches) {
      return await new Promise((resolve, reject) => {
        const check = () => {
          const found = events.find(matches);
          if (!found) return;
          pending.delete(check);
          resolve(found);
        };
        pending.add(check);
        check();
        void exited.then(() => reject(new Error(`the holder ended: ${errors}`)));
      });
    },
    async end() {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
