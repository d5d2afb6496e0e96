import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";

/** The result of one fault, as in docs/operate/reliability.md. */
export interface FaultReport {
  readonly group: "servers" | "processes" | "disks" | "clocks" | "clients" | "uploads";
  readonly fault: string;
  readonly backing: string;
  /** How many writes were acknowledged during the fault, and their unit, as "users". */
  readonly acknowledged: number;
  readonly of: string;
  readonly lost: number;
  readonly doubled: number;
  /** From the end of the fault until full service; null without an interruption. Milliseconds. */
  readonly backMs: number | null;
  /** The limit of the test for it. Milliseconds. */
  readonly backWithinMs: number | null;
}

const file = path.resolve(import.meta.dirname, "../../e2e/reliability/current.jsonl");

/** Records one measured row; `npm run reliability` writes the table of them. */
export function report(row: FaultReport): void {
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(row)}\n`);
}
