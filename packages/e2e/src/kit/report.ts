import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";

/** What one fault did, as docs/operate/reliability.md shows it. */
export interface FaultReport {
  readonly group: "servers" | "processes" | "disks" | "clocks" | "clients" | "uploads";
  readonly fault: string;
  readonly backing: string;
  /** Things that were acknowledged while it happened, and what is counted, as "users". */
  readonly acknowledged: number;
  readonly of: string;
  readonly lost: number;
  readonly doubled: number;
  /** From the end of the fault until the service is whole again; null where it never was away. Milliseconds. */
  readonly backMs: number | null;
  /** The longest that the test allows for it. Milliseconds. */
  readonly backWithinMs: number | null;
}

const file = path.resolve(import.meta.dirname, "../../reliability/current.jsonl");

/** Notes one measured row; `npm run reliability` makes the table of them. */
export function report(row: FaultReport): void {
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(row)}\n`);
}
