import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const shipped = path.resolve(import.meta.dirname, "../packages/server/bin/sources.cjs");

interface Sources {
  sourcesOf(): string;
  programOf(): string;
}

let root: string;
let server: string;

function load(): Sources {
  return createRequire(import.meta.url)(path.join(server, "bin", "sources.cjs")) as Sources;
}

/** A checkout with one source file, and its bundle. */
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "rollcall-sources-"));
  server = path.join(root, "packages", "server");
  for (const folder of ["tools", "packages/server/bin", "packages/server/src", "packages/server/dist", "packages/sync-sdk/src"])
    mkdirSync(path.join(root, folder), { recursive: true });
  writeFileSync(path.join(root, "tools", "build.ts"), "");
  for (const file of ["src/main.ts", "dist/main.js"]) writeFileSync(path.join(server, file), "");
  copyFileSync(shipped, path.join(server, "bin", "sources.cjs"));
  writeFileSync(path.join(server, "dist", ".sources"), load().sourcesOf());
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bundle = () => path.join(server, "dist", "main.js");
const source = () => path.join(server, "src", "main.ts");

test("the bundle of these sources runs", () => expect(load().programOf()).toBe(bundle()));

test.each<[string, () => void]>([
  ["a changed file", () => writeFileSync(source(), "changed")],
  ["a file of the same size that is newer", () => utimesSync(source(), new Date(), new Date(Date.now() + 5000))],
  ["a new file", () => writeFileSync(path.join(server, "src", "new.ts"), "")],
  ["a changed file of the SDK", () => writeFileSync(path.join(root, "packages", "sync-sdk", "src", "new.ts"), "")],
  ["no bundle", () => rmSync(bundle())],
  ["a bundle that an ended build left behind", () => rmSync(path.join(server, "dist", ".sources"))],
])("with %s, the sources run", (_what, change) => {
  change();
  expect(load().programOf()).toBe(source());
});

test("an installation, which has no tools, always runs its bundle", () => {
  rmSync(path.join(root, "tools"), { recursive: true });
  writeFileSync(source(), "changed");
  expect(load().programOf()).toBe(bundle());
});
