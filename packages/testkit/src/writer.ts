import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { createSyncClient } from "@rollcall/sync-sdk";
import { senderOptions, userOf } from "./population.ts";
import { secrets } from "./program.ts";

const batch = 20;
const betweenBatchesMs = 40;

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Sends batches until it is stopped, and records the acknowledged users. */
export class Writer {
  readonly #client;
  readonly #folder = mkdtempSync(path.join(tmpdir(), "rollcall-writer-"));
  readonly #running: Promise<void>;
  #stopped = false;
  /** Users from 0 to here were acknowledged. */
  acknowledged = 0;
  /** Batches that the server stored at once. */
  stored = 0;
  queued = 0;

  constructor(url: string) {
    this.#client = createSyncClient(senderOptions(url, secrets.sync, path.join(this.#folder, "queue")));
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const from = this.acknowledged;
      const { queued, rejected } = await this.#client.users(Array.from({ length: batch }, (_user, i) => userOf(from + i)));
      expect(rejected).toEqual([]);
      if (queued > 0) this.queued += 1;
      else this.stored += 1;
      this.acknowledged += batch;
      await pause(betweenBatchesMs);
    }
  }

  /** Stops after the running batches and sends the queue. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    await this.#client.flush();
    await this.#client.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The expected rows of a writer's acknowledged users: one line each, for comparison. */
export function acknowledgedLines(acknowledged: number): string[] {
  return Array.from({ length: acknowledged }, (_user, n) => {
    const { identifier, firstName, lastName } = userOf(n);
    return [identifier, firstName, lastName, 1].join("\t");
  });
}

/** The statement whose rows are compared with `acknowledgedLines`. */
export function storedStatement(acknowledged: number): string {
  const last = userOf(acknowledged - 1).identifier;
  return `select identifier, first_name, last_name, version from citizens where identifier between 'char1:crowd000000' and '${last}'`;
}

/** How many acknowledged users are missing, and how many rows are duplicates or differ. */
export function compare(acknowledged: number, rows: readonly string[]): { lost: number; doubled: number } {
  const wanted = new Set(acknowledgedLines(acknowledged));
  const there = new Set(rows);
  const lost = [...wanted].filter((line) => !there.has(line)).length;
  return { lost, doubled: rows.length - [...there].filter((line) => wanted.has(line)).length };
}
