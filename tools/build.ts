import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { withLock } from "./lock.ts";

const root = path.resolve(import.meta.dirname, "..");
const web = path.join(root, "packages", "web");
const server = path.join(root, "packages", "server");

/** Shared with `rollcall`, which runs in any Node and therefore is no TypeScript. */
const sources = createRequire(import.meta.url)(path.join(server, "bin", "sources.cjs")) as {
  readonly inputs: readonly string[];
  fingerprint(): string;
};

/** Something that is built from sources, and built again when they change. */
export interface Built {
  readonly name: string;
  /** A file that says which sources the last build is of: a hash of their contents, then what `quick` returns. */
  readonly stamp: string;
  /** Files and folders. */
  readonly inputs: readonly string[];
  make(): Promise<void>;
  /** What another program compares instead of the contents, because it takes less time. */
  quick?(): string;
}

const belowRoot = (input: string) => path.join(root, input);

const built: readonly Built[] = [
  {
    name: "the web application",
    stamp: path.join(web, "dist", ".built-from"),
    // Its own files, the shared contracts and texts, and the locked dependencies.
    inputs: ["packages/web", "packages/server/src/core", "packages/server/src/features", "package-lock.json"].map(belowRoot),
    make: runVite,
  },
  {
    name: "the server",
    stamp: path.join(server, "dist", ".built-from"),
    inputs: sources.inputs.map(belowRoot),
    make: async () => await (await import("./bundle.ts")).bundleServer(),
    quick: sources.fingerprint,
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

function contentsOf(inputs: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of inputs.flatMap(filesBelow).sort()) {
    hash.update(path.relative(root, file)).update("\0").update(readFileSync(file));
  }
  return hash.digest("hex");
}

async function runVite(): Promise<void> {
  const vite = path.join(root, "node_modules", "vite", "bin", "vite.js");
  const child = spawn(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: web,
    // What starts it may have another one, as the tests do: the build would then have React's checks for development.
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", 2, 2],
  });
  const code = await new Promise<number>((resolve) => child.on("exit", (status) => resolve(status ?? 1)));
  if (code !== 0) throw new Error("the web application could not be built, see above");
}

type State = "fresh" | "touched" | "stale";

/** How a build compares with its sources, and the stamp of the sources as they are now. */
function stateOf({ stamp, inputs, quick }: Built): { readonly state: State; readonly now: string } {
  // The quick one first: a file that is saved in between then differs from it, and `rollcall` runs the sources.
  const second = quick?.() ?? "";
  const contents = contentsOf(inputs);
  const now = `${contents}\n${second}`;
  const last = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  if (last === now) return { state: "fresh", now };
  return { state: last.split("\n", 1)[0] === contents ? "touched" : "stale", now };
}

/** The codes of files and of SQLite for a folder that this user may not write to. */
const readOnly = /^(?:EACCES|EPERM|EROFS|SQLITE_CANTOPEN|SQLITE_READONLY)/;
const isReadOnly = (error: unknown) => error instanceof Error && "code" in error && readOnly.test(String(error.code));

/** Builds one thing, unless `onlyIfStale` and its last build is of these sources. Call it with the lock. */
async function buildOne(one: Built, onlyIfStale: boolean): Promise<void> {
  const { state, now } = stateOf(one);
  if (onlyIfStale && state === "fresh") return;
  if (!onlyIfStale || state === "stale") {
    process.stderr.write(`Building ${one.name}...\n`);
    // A build that is interrupted is of no sources at all.
    rmSync(one.stamp, { force: true });
    await one.make();
  }
  // Of the sources before the build: what is saved while it runs may be missing in it.
  writeFileSync(one.stamp, now);
}

/** Builds what is given, while no other process builds; with `onlyIfStale`, only what has other sources than at its last build. */
export async function buildAll(all: readonly Built[], lock: string, onlyIfStale: boolean): Promise<void> {
  const wait = () => void process.stderr.write("Waiting for another build to end...\n");
  for (const one of all) {
    const state = onlyIfStale ? stateOf(one).state : "stale";
    if (state === "fresh") continue;
    try {
      await withLock(lock, async () => await buildOne(one, onlyIfStale), wait);
    } catch (error) {
      // Only the times differ, as after a switch of branches and back: the build is still right, also for a user who may not note it.
      if (state !== "touched" || !isReadOnly(error)) throw error;
    }
  }
}

/** Builds the web application and the server; with `onlyIfStale`, only what has other sources than at its last build. */
export async function build({ onlyIfStale }: { onlyIfStale: boolean }): Promise<void> {
  await buildAll(built, path.join(server, "dist", ".building"), onlyIfStale);
}

/** Whether `build` would make something: the last builds are of other sources. */
export const isStale = (): boolean => built.some((one) => stateOf(one).state === "stale");
