import { readFileSync } from "node:fs";
import { loadConfig } from "../../packages/server/src/config/index.ts";
import { type RateLimits, rateLimits } from "../../packages/server/src/infra/http/rate.ts";
import { createApp } from "../../packages/server/src/app/app.ts";
import { silentLogs } from "../../packages/server/src/testkit/silence.ts";
import type { RunningProcess } from "../../packages/server/src/app/lifecycle.ts";
import { type Instance, run, type Program } from "@rollcall/testkit/program.ts";

/** Resident memory of a process, in megabytes of 1,000,000 bytes. */
export function memoryOf(program: Program): number {
  const status = readFileSync(`/proc/${program.child.pid}/status`, "utf8");
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
}

const unlimited = { perSecond: 1e9, burst: 1e9 };

/** The program of an instance, composed in this process: for what can only be measured from inside. */
export async function compose(instance: Instance): Promise<RunningProcess> {
  const loaded = loadConfig({ cwd: instance.folder, env: {} });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ path, what }) => `${path} ${what}`).join("; "));
  const rates = Object.fromEntries(Object.keys(rateLimits).map((budget) => [budget, unlimited])) as unknown as RateLimits;
  return await createApp({
    loaded,
    roles: ["web", "worker"],
    rates,
    overrides: { logs: { ...silentLogs, close: async () => undefined } },
  });
}

/** Grants rights with the command line, as an operator does. */
export async function allow(instance: Instance, permission: string, attributes?: string): Promise<void> {
  const { code, stderr } = await run(
    ["role", "allow", permission, ...(attributes === undefined ? [] : ["--attributes", attributes])],
    instance,
  );
  if (code !== 0) throw new Error(stderr);
}
