import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Instance, run } from "@rollcall/testkit/program.ts";
import { createScope, type Scope } from "@rollcall/testkit/settings.ts";
import { fileName, filesBelow, startObjectStore, storedIn } from "@rollcall/testkit/uploads.ts";

let scope: Scope = createScope();
afterEach(async () => {
  await scope.end();
  scope = createScope();
});

const ours = [`avatars/202611/${fileName(1)}`, `avatars/202611/${fileName(1)}-t`, `logos/202610/${fileName(2)}`];
const foreign = [
  ...["foreign.txt", "Thumbs .db", "backups/rollcall-2026-11-20.tar.gz", "avatars/notes.txt", "photos/202610/cat"],
  ...["lost+found/x", `unknown/202611/${fileName(3)}`],
];
const told = "7 in .* are not Rollcall's and .*: Thumbs .db, avatars/notes.txt, backups/, foreign.txt, lost\\+found/ and 2 more";

function put(folder: string, keys: readonly string[]): void {
  for (const key of keys) {
    mkdirSync(path.dirname(path.join(folder, key)), { recursive: true });
    writeFileSync(path.join(folder, key), key);
  }
}

async function succeed(args: readonly string[], instance: Instance) {
  const done = await run(args, instance);
  expect(done.code, done.stderr).toBe(0);
  return done;
}

const filesOf = (instance: Instance) => path.join(instance.folder, "data", "files");
const untouched = (folder: string) => foreign.every((key) => readFileSync(path.join(folder, key), "utf8") === key);

test("a backup and a restore handle Rollcall's files only, and report the others once", async () => {
  const [from, to] = [await scope.instance(), await scope.instance()];
  const archive = path.join(from.folder, "backup.tar.gz");
  await succeed(["migrate"], from);
  put(filesOf(from), [...ours, ...foreign]);
  const made = await succeed(["backup", archive, "--check-restore"], from);
  expect(made.stdout).toContain("3 files of");
  expect(made.stderr.match(new RegExp(told, "g"))).toHaveLength(1);

  put(filesOf(to), foreign);
  const restored = await succeed(["restore", archive], to);
  expect(restored.stderr.match(new RegExp(told, "g"))).toHaveLength(1);
  expect([filesBelow(filesOf(to)), untouched(filesOf(to))]).toEqual([[...ours, ...foreign].toSorted(), true]);
  const again = await run(["restore", archive], to);
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/not empty \(avatars\/202611\/01KA7Q/)]);
});

test("a move handles Rollcall's files only, in both directions, and reports the others once", async () => {
  const store = await startObjectStore();
  scope.defer(async () => await store.close());
  const both = { ...storedIn(store), "storage.type": "filesystem" };
  const instance = await scope.instance(both);
  await succeed(["migrate"], instance);
  put(filesOf(instance), [...ours, ...foreign]);
  const there = await succeed(["storage", "move", "--to", "objectstore"], instance);
  expect(there.stdout).toMatch(/^3 objects, .* are in the objectstore/m);
  expect(there.stdout.match(new RegExp(told, "g"))).toHaveLength(1);
  instance.set({ ...both, "storage.type": "objectstore" });
  const emptied = await succeed(["storage", "move", "--to", "objectstore", "--remove-source"], instance);
  expect(emptied.stdout).toContain("3 objects were removed from the filesystem");
  expect([filesBelow(filesOf(instance)), untouched(filesOf(instance))]).toEqual([foreign.toSorted(), true]);
});

test("uploads next to the database file cause a warning with the better folder, and a backup still works", async () => {
  const instance = await scope.instance();
  const data = path.join(instance.folder, "data");
  instance.set({ "storage.filesystem.path": data });
  const better = /\/data\/files,? and move the folders of uploads \(such as avatars and logos\) there/;
  const checked = await succeed(["config", "check"], instance);
  expect(checked.stdout.split("\n").filter((line) => line.includes("storage.filesystem.path"))).toEqual([
    expect.stringMatching(better),
  ]);
  await succeed(["migrate"], instance);
  put(data, ours);
  expect((await succeed(["doctor"], instance)).stdout).toMatch(better);
  const archive = path.join(instance.folder, "backup.tar.gz");
  expect((await succeed(["backup", archive], instance)).stdout).toContain("3 files of");
  const to = await scope.instance();
  to.set({ "storage.filesystem.path": path.join(to.folder, "data") });
  await succeed(["restore", archive], to);
  expect(ours.every((key) => existsSync(path.join(to.folder, "data", key)))).toBe(true);
});
