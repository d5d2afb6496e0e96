import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
const projects = [
  "packages/server",
  "packages/web",
  "packages/web/tsconfig.tools.json",
  "packages/web/tsconfig.declared.json",
  "packages/sync-sdk",
  "packages/testkit",
  "packages/e2e",
  "tools",
  "bench",
];

for (const project of projects) {
  const { status } = spawnSync(process.execPath, [tsc, "-p", project], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
