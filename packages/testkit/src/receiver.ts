import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { endWithTests } from "./children.ts";
import type { ReceiverOrder } from "./receiver.fixture.ts";

const fixture = path.resolve(import.meta.dirname, "receiver.fixture.ts");

/** One effect in the game, as the receiver wrote it down. */
export interface Applied {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
}

/** A plugin that runs until it is killed; its folder survives it. */
export interface Receiver {
  kill(): Promise<void>;
}

export async function startReceiver(order: ReceiverOrder): Promise<Receiver> {
  const child = endWithTests(spawn(process.execPath, [fixture, JSON.stringify(order)], { stdio: ["ignore", "pipe", "pipe"] }));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const exited = once(child, "exit");
  const failed = async () => {
    await exited;
    throw new Error(`the receiver ended: ${errors}`);
  };
  await Promise.race([once(child.stdout, "data"), failed()]);
  return {
    async kill() {
      if (child.exitCode !== null) throw new Error(`the receiver ended by itself: ${errors}`);
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** What was done in the game, in its order, by all processes. */
export function appliedIn(ledger: string): Applied[] {
  const lines = existsSync(ledger) ? readFileSync(ledger, "utf8").split("\n").slice(0, -1) : [];
  return lines.map((line) => {
    const [id = "", kind = "", ...label] = line.split(" ");
    return { id, kind, label: label.join(" ") };
  });
}
