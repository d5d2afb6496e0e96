import { readFileSync } from "node:fs";
import { loadConfig } from "../../packages/server/src/config/index.ts";
import { createApp } from "../../packages/server/src/app.ts";
import { silentLogs } from "../../packages/server/src/testkit/silence.ts";
import type { RunningProcess } from "../../packages/server/src/process.ts";
import { type Place, run, type Program } from "../../packages/e2e/src/kit/program.ts";

/** Memory that a process holds, in megabytes of 1,000,000 bytes. */
export function memoryOf(program: Program): number {
  const status = readFileSync(`/proc/${program.child.pid}/status`, "utf8");
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
}

const unlimited = { perSecond: 1e9, burst: 1e9 };

/** The program of a place, composed in this process: for what can only be seen from inside. */
export async function compose(place: Place): Promise<RunningProcess> {
  const loaded = loadConfig({ cwd: place.folder, env: {} });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ path, what }) => `${path} ${what}`).join("; "));
  const rates = { read: unlimited, search: unlimited, write: unlimited, login: unlimited, sync: unlimited, export: unlimited };
  return await createApp({
    loaded,
    roles: ["web", "worker"],
    rates,
    surroundings: { logs: { ...silentLogs, close: async () => undefined } },
  });
}

/** Grants by the command line, as an operator does. */
export async function allow(place: Place, permission: string, attributes?: string): Promise<void> {
  const { code, stderr } = await run(
    ["role", "allow", permission, ...(attributes === undefined ? [] : ["--attributes", attributes])],
    place,
  );
  if (code !== 0) throw new Error(stderr);
}
