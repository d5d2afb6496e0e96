import { spawn } from "node:child_process";
import path from "node:path";
import type { HolderOrder, HolderSays } from "./holder.fixture.ts";

const fixture = path.resolve(import.meta.dirname, "holder.fixture.ts");

export interface Holder {
  send(command: string): void;
  signal(name: NodeJS.Signals): void;
  /** Resolves with the first thing said that fits, also one said before. */
  said(fits: (what: HolderSays) => boolean): Promise<HolderSays>;
  end(): Promise<void>;
}

export function startHolder(order: HolderOrder): Holder {
  const child = spawn(process.execPath, [fixture, JSON.stringify(order)], { stdio: ["pipe", "pipe", "pipe"] });
  const heard: HolderSays[] = [];
  let output = "";
  let errors = "";
  const looking = new Set<() => void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    const lines = output.split("\n");
    output = lines.pop() ?? "";
    heard.push(...lines.map((line) => JSON.parse(line) as HolderSays));
    for (const look of looking) look();
  });
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    send: (command) => void child.stdin.write(`${command}\n`),
    signal: (name) => void child.kill(name),
    async said(fits) {
      return await new Promise((resolve, reject) => {
        const look = () => {
          const found = heard.find(fits);
          if (!found) return;
          looking.delete(look);
          resolve(found);
        };
        looking.add(look);
        look();
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
