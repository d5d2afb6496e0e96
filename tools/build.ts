import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { writeSources } from "./sources.ts";

const root = path.resolve(import.meta.dirname, "..");
const web = path.join(root, "packages", "web");

/** Something that is built from sources, and built again when they change. */
interface Built {
  readonly name: string;
  readonly stamp: string;
  /** Files and folders below the root. */
  readonly inputs: readonly string[];
  make(): Promise<void>;
  /** Called instead when the last build is of these sources. */
  keep?(): void;
}

const built: readonly Built[] = [
  {
    name: "the web application",
    stamp: path.join(web, "dist", ".built-from"),
    // Its own files, the shared contracts and texts, and the locked dependencies.
    inputs: ["packages/web", "packages/server/src/core", "packages/server/src/features", "package-lock.json"],
    make: runVite,
  },
  {
    name: "the server",
    stamp: path.join(root, "packages", "server", "dist", ".built-from"),
    inputs: ["packages/server/src", "packages/sync-sdk/src", "package-lock.json", "tools/bundle.ts"],
    make: async () => await (await import("./bundle.ts")).bundleServer(),
    // Their times may be others, as after a switch of branches and back.
    keep: writeSources,
  },
];

const skipped = new Set(["dist", "node_modules", "dev"]);
const relevant = /(?:\.(?:ts|tsx|css|html|svg|js)|\.contract\.ts|\.text\.\w+\.json|package(?:-lock)?\.json|\.json)$/;

function filesBelow(item: string): string[] {
  if (statSync(item).isFile()) return [item];
  return readdirSync(item, { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .flatMap((entry) => filesBelow(path.join(item, entry.name)))
    .filter((file) => relevant.test(file) && !/\.test\.tsx?$/.test(file));
}

function fingerprint(inputs: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap((input) => filesBelow(path.join(root, input))).sort()) {
    hash.update(path.relative(root, file)).update("\0").update(readFileSync(file));
  }
  return hash.digest("hex");
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

/** Builds the web application and the server; with `onlyIfStale`, only what has other sources than at its last build. */
export async function build({ onlyIfStale }: { onlyIfStale: boolean }): Promise<void> {
  for (const { name, stamp, inputs, make, keep } of built) {
    const now = fingerprint(inputs);
    if (onlyIfStale && existsSync(stamp) && readFileSync(stamp, "utf8") === now) {
      keep?.();
      continue;
    }
    process.stderr.write(`Building ${name}...\n`);
    await make();
    writeFileSync(stamp, now);
  }
}
