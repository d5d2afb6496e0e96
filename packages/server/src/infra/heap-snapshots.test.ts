import { EventEmitter } from "node:events";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Log } from "#core/ports/index.ts";
import { snapshotHeapOnSignal } from "./heap-snapshots.ts";

test("a signal writes one snapshot that its owner alone can read, and the next one replaces it", () => {
  const signals = new EventEmitter();
  const logged: string[] = [];
  const log = { warn: ({ file }: { file: string }) => logged.push(file) } as unknown as Log;
  const present: boolean[] = [];
  const write = (file: string) => {
    present.push(existsSync(file));
    writeFileSync(file, "snapshot");
    return file;
  };
  snapshotHeapOnSignal({ log, signals, write });
  signals.emit("SIGUSR2");
  signals.emit("SIGUSR2");
  const folder = path.dirname(logged[0]!);
  try {
    expect([logged[1], present, readdirSync(folder).length]).toEqual([logged[0], [false, false], 1]);
    expect(statSync(folder).mode & 0o077).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
