import { createHash } from "node:crypto";
import type { FilesSum, TableSum } from "./format.ts";

const modulus = 1n << 256n;

/** Counts lines and sums their hashes, so that two databases can be compared without a common order. */
export class LineSum {
  #count = 0;
  #total = 0n;

  add(line: string): void {
    this.#count += 1;
    this.#total = (this.#total + BigInt(`0x${createHash("sha256").update(line).digest("hex")}`)) % modulus;
  }

  get count(): number {
    return this.#count;
  }

  get sum(): string {
    return this.#total.toString(16).padStart(64, "0");
  }

  ofTable(): TableSum {
    return { rows: this.#count, sum: this.sum };
  }

  ofFiles(bytes: number): FilesSum {
    return { count: this.#count, bytes, sum: this.sum };
  }
}

export function sameTable(a: TableSum | undefined, b: TableSum): boolean {
  return a?.rows === b.rows && a.sum === b.sum;
}
