import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const web = path.join(root, "packages", "web");
const stamp = path.join(web, "dist", ".built-from");

/** The sources of the web application: its own files, the shared contracts and texts, and the locked dependencies. */
const inputs = ["packages/web", "packages/server/src/core", "packages/server/src/features", "package-lock.json"];
const skipped = new Set(["dist", "node_modules", "dev"]);
const relevant = /(?:\.(?:ts|tsx|css|html|svg|js)|\.contract\.ts|\.text\.\w+\.json|package(?:-lock)?\.json|\.json)$/;

function filesBelow(item: string): string[] {
  if (statSync(item).isFile()) return [item];
  return readdirSync(item, { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .flatMap((entry) => filesBelow(path.join(item, entry.name)))
    .filter((file) => relevant.test(file) && !/\.test\.tsx?$/.test(file));
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap((input) => filesBelow(path.join(root, input))).sort()) {
    hash.update(path.relative(root, file)).update("\0").update(readFileSync(file));
  }
  return hash.digest("hex");
}

function built(): string | null {
  return existsSync(stamp) ? readFileSync(stamp, "utf8") : null;
}

async function runVite(): Promise<void> {
  const vite = path.join(root, "node_modules", "vite", "bin", "vite.js");
  const child = spawn(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: web,
    stdio: ["ignore", 2, 2],
  });
  const code = await new Promise<number>((resolve) => child.on("exit", (status) => resolve(status ?? 1)));
  if (code !== 0) throw new Error("the web application could not be built, see above");
}

/** Builds the web application; with `onlyIfStale`, only when its sources changed since the last build. */
export async function build({ onlyIfStale }: { onlyIfStale: boolean }): Promise<void> {
  const now = fingerprint();
  if (onlyIfStale && built() === now) return;
  process.stderr.write("Building the web application...\n");
  await runVite();
  writeFileSync(stamp, now);
}
