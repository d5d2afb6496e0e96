import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { writeHeapSnapshot } from "node:v8";
import type { Log } from "#core/ports/index.ts";

export interface HeapSnapshotOptions {
  readonly log: Log;
  /** What receives the signal; this process by default. */
  readonly signals?: { on(signal: "SIGUSR2", listener: () => void): unknown };
  readonly write?: (file: string) => string;
}

/**
 * Writes a heap snapshot with SIGUSR2, which only this user and root can send: writing one blocks the process, and it holds
 * everything that is in memory. Each replaces the one before.
 */
export function snapshotHeapOnSignal({ log, signals = process, write = writeHeapSnapshot }: HeapSnapshotOptions): void {
  if (process.platform === "win32") return;
  let file: string | null = null;
  signals.on("SIGUSR2", () => {
    try {
      file ??= path.join(mkdtempSync(path.join(tmpdir(), "rollcall-heap-")), `${process.pid}.heapsnapshot`);
      rmSync(file, { force: true });
      log.warn(
        { file: write(file) },
        "wrote a heap snapshot; it holds personal data and secrets, so remove it when you are done",
      );
    } catch (error) {
      log.error({ err: error }, `no heap snapshot: ${(error as Error).message}`);
    }
  });
}
