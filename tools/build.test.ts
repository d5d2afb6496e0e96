import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { buildAll, type Built } from "./build.ts";

const shipped = path.resolve(import.meta.dirname, "../packages/server/bin/sources.cjs");

interface Sources {
  readonly inputs: readonly string[];
  fingerprint(): string;
  programOf(): string;
}

let root: string;

const at = (...parts: string[]) => path.join(root, ...parts);
const bundle = () => at("packages/server/dist/main.js");
const source = () => at("packages/server/src/main.ts");
const stamp = () => at("packages/server/dist/.built-from");
const load = () => createRequire(import.meta.url)(at("packages/server/bin/sources.cjs")) as Sources;

/** Copies the source as it is when the bundler reads it. */
function copySource(): void {
  writeFileSync(bundle(), readFileSync(source()));
}

/** Builds the copy of a checkout; the returned list has an entry for each time that something was made. */
async function build(onlyIfStale: boolean, make: (this: void) => void | Promise<void> = copySource): Promise<string[]> {
  const made: string[] = [];
  const { inputs, fingerprint } = load();
  const server: Built = {
    name: "the server",
    stamp: stamp(),
    inputs: inputs.map((input) => at(input)),
    async make() {
      made.push("the server");
      await make();
    },
    quick: fingerprint,
  };
  await buildAll([server], at("packages/server/dist/.building"), onlyIfStale);
  return made;
}

/** A checkout with one source file, and its bundle. */
beforeEach(async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  root = mkdtempSync(path.join(tmpdir(), "rollcall-build-"));
  for (const folder of ["tools", "packages/server/bin", "packages/server/src", "packages/server/dist", "packages/sync-sdk/src"])
    mkdirSync(at(folder), { recursive: true });
  for (const file of ["package-lock.json", "packages/server/package.json", "packages/sync-sdk/package.json"])
    writeFileSync(at(file), "{}");
  for (const file of ["tools/build.ts", "tools/bundle.ts"]) writeFileSync(at(file), "");
  writeFileSync(source(), "first");
  copyFileSync(shipped, at("packages/server/bin/sources.cjs"));
  await build(false);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

/** As an editor that saves a file, or git that switches to another branch and back: with another time. */
let later = Date.now();
function save(file: string, text: string): void {
  writeFileSync(file, text);
  later += 5000;
  utimesSync(file, new Date(later), new Date(later));
}

const interrupt = () => {
  copySource();
  throw new Error("interrupted");
};

describe("what `rollcall` runs", () => {
  test("is the bundle of these sources", () => expect(load().programOf()).toBe(bundle()));

  test.each<[string, () => unknown]>([
    ["a changed file", () => writeFileSync(source(), "changed")],
    ["a file of the same size that is newer", () => save(source(), "FIRST")],
    ["a new file", () => writeFileSync(at("packages/server/src/new.ts"), "")],
    ["a changed file of the SDK", () => writeFileSync(at("packages/sync-sdk/src/new.ts"), "")],
    ["another manifest", () => writeFileSync(at("packages/server/package.json"), '{"version":"2"}')],
    ["other packages", () => writeFileSync(at("package-lock.json"), '{"packages":{}}')],
    ["another bundler", () => writeFileSync(at("tools/bundle.ts"), "changed")],
    ["no bundle", () => rmSync(bundle())],
    ["an interrupted build", async () => await build(false, interrupt).catch(() => {})],
  ])("is the sources with %s", async (_what, change) => {
    await change();
    expect(load().programOf()).toBe(source());
  });

  test("is always the bundle in an installation, which has no tools", () => {
    rmSync(at("tools"), { recursive: true });
    writeFileSync(source(), "changed");
    expect(load().programOf()).toBe(bundle());
  });
});

describe("a build only of what is stale", () => {
  test("leaves the build of these sources alone", async () => {
    const { mtimeMs } = statSync(stamp());
    expect(await build(true)).toEqual([]);
    expect(statSync(stamp()).mtimeMs).toBe(mtimeMs);
  });

  test("makes a changed file again", async () => {
    save(source(), "second");
    expect(await build(true)).toEqual(["the server"]);
    expect(load().programOf()).toBe(bundle());
  });

  test("notes other times of the same contents, and makes nothing", async () => {
    save(source(), "first");
    expect(load().programOf()).toBe(source());
    expect(await build(true)).toEqual([]);
    expect(load().programOf()).toBe(bundle());
  });

  test("makes it again after an interrupted build, also when the sources are the old ones again", async () => {
    save(source(), "second");
    await expect(build(true, interrupt)).rejects.toThrow("interrupted");
    save(source(), "first");
    expect(await build(true)).toEqual(["the server"]);
    expect(readFileSync(bundle(), "utf8")).toBe("first");
  });

  test("does not note what was saved while it was made", async () => {
    save(source(), "second");
    await build(true, () => {
      copySource();
      save(source(), "third");
    });
    expect(load().programOf()).toBe(source());
    expect(await build(true)).toEqual(["the server"]);
    expect(readFileSync(bundle(), "utf8")).toBe("third");
  });

  test("waits for another one, and then finds nothing to do", async () => {
    save(source(), "second");
    let running = 0;
    const make = async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      copySource();
      running -= 1;
    };
    const made = await Promise.all([build(true, make), build(true, make)]);
    expect(made.flat()).toEqual(["the server"]);
  });

  test("passes in a folder that is not writable, unless there is something to make", async () => {
    save(source(), "first");
    for (const place of [bundle(), stamp(), at("packages/server/dist/.building")]) chmodSync(place, 0o444);
    for (const place of [root, at("packages/server/dist")]) chmodSync(place, 0o555);
    // For root nothing is read-only.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await build(true)).toEqual([]);
      expect(load().programOf()).toBe(source());
    } finally {
      if (isRoot) process.seteuid?.(0);
      for (const place of [root, at("packages/server/dist")]) chmodSync(place, 0o755);
    }
    save(source(), "second");
    expect(await build(true)).toEqual(["the server"]);
  });
});
