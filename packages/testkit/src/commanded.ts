import { spawn } from "node:child_process";
import path from "node:path";
import { endWithTests } from "./children.ts";

/** A process for one test that takes commands on stdin and prints events as lines of JSON. */
export interface Commanded<E> {
  send(command: string): void;
  signal(name: NodeJS.Signals): void;
  /** Resolves with the first event that matches, also an earlier one. */
  seen(matches: (what: E) => boolean): Promise<E>;
  end(): Promise<void>;
}

/** `fixture` is a file beside this one, which gets `order` as JSON. */
export function startCommanded<E>(fixture: string, order: object, env: Readonly<Record<string, string>> = {}): Commanded<E> {
  const file = path.resolve(import.meta.dirname, fixture);
  const child = endWithTests(
    spawn(process.execPath, [file, JSON.stringify(order)], { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, ...env } }),
  );
  const events: E[] = [];
  let output = "";
  let errors = "";
  const pending = new Set<() => void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    const lines = output.split("\n");
    output = lines.pop() ?? "";
    events.push(...lines.map((line) => JSON.parse(line) as E));
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
        void exited.then(() => reject(new Error(`the process ended: ${errors}`)));
      });
    },
    async end() {
      child.kill("SIGCONT");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
