import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { call, person, signIn } from "@rollcall/testkit/api.ts";
import { type Instance, run } from "@rollcall/testkit/program.ts";
import { createScope, type Scope } from "@rollcall/testkit/settings.ts";
import { fileName, filesBelow, pngNoise, startObjectStore, storedIn, uploadAvatar } from "@rollcall/testkit/uploads.ts";

let scope: Scope = createScope();
afterEach(async () => {
  await scope.end();
  scope = createScope();
});

async function openStore() {
  const store = await startObjectStore();
  scope.defer(async () => await store.close());
  return store;
}

const filesOf = (instance: Instance) => path.join(instance.folder, "data", "files");
const archiveOf = (instance: Instance) => path.join(instance.folder, "backup.tar.gz");

async function succeed(args: readonly string[], instance: Instance) {
  const done = await run(args, instance);
  expect(done.code, done.stderr).toBe(0);
  return done;
}

test("a backup includes the files, and restores them", async () => {
  const [from, to] = [await scope.instance(), await scope.instance()];
  await succeed(["migrate"], from);
  const file = (instance: Instance) => path.join(filesOf(instance), "avatars", "202611", fileName(1));
  mkdirSync(path.dirname(file(from)), { recursive: true });
  writeFileSync(file(from), "a picture".repeat(100_000));
  const made = await succeed(["backup", archiveOf(from)], from);
  expect(made.stderr).toMatch(/files +1\n/);
  expect(made.stdout).toContain("1 files of 0.9 MB");
  await succeed(["restore", archiveOf(from)], to);
  expect(readFileSync(file(to), "utf8")).toBe("a picture".repeat(100_000));
  const again = await run(["restore", archiveOf(from)], to);
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/the storage of files is not empty|is not empty/)]);
});

test("files of a folder are restored into an object store, and from there into a folder, byte for byte", async () => {
  const store = await openStore();
  const [from, between, to] = [await scope.instance(), await scope.instance(storedIn(store)), await scope.instance()];
  await succeed(["migrate"], from);
  const contents = new Map([
    [`avatars/202611/${fileName(1)}`, randomBytes(100_000)],
    [`avatars/202611/${fileName(1)}-t`, randomBytes(1)],
    [`logos/202612/${fileName(2)}`, Buffer.alloc(0)],
    // More than one part of an object store.
    [`logos/202612/${fileName(3)}`, randomBytes(20_000_000)],
  ]);
  for (const [key, bytes] of contents) {
    mkdirSync(path.dirname(path.join(filesOf(from), key)), { recursive: true });
    writeFileSync(path.join(filesOf(from), key), bytes);
  }
  await succeed(["backup", archiveOf(from)], from);
  await succeed(["restore", archiveOf(from)], between);
  expect(filesBelow(filesOf(between))).toEqual([]);
  const taken = await succeed(["backup", archiveOf(between), "--check-restore"], between);
  expect(taken.stdout).toContain("4 files of 20.1 MB");
  await succeed(["restore", archiveOf(between)], to);
  expect(filesBelow(filesOf(to))).toEqual([...contents.keys()].toSorted());
  for (const [key, bytes] of contents) expect(bytes.equals(readFileSync(path.join(filesOf(to), key))), key).toBe(true);
});

test("an upload in an object store is served from another bucket after its backup was restored there", async () => {
  const store = await openStore();
  const from = await scope.instance(storedIn(store));
  const program = await scope.serve(from);
  const mara = await person(from, { username: "mara", groups: "admin" });
  expect((await uploadAvatar(from.url, mara, await pngNoise(300, 300), "mine.png")).status).toBe(200);
  const bytesAt = async (instance: Instance, cookie: string) => {
    const { items } = (await call(instance.url, "/api/files", { cookie })).body;
    expect(items).toHaveLength(1);
    const response = await fetch(`${instance.url}${items[0].url}`, { headers: { cookie } });
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };
  const before = await bytesAt(from, mara.cookie);
  await succeed(["backup", archiveOf(from)], from);
  await program.stop();

  const to = await scope.instance(storedIn(store, { "storage.objectstore.bucketName": "another" }));
  await succeed(["restore", archiveOf(from)], to);
  await scope.serve(to);
  const { cookie } = await signIn(to.url, mara.username, mara.password);
  expect(before.equals(await bytesAt(to, cookie))).toBe(true);
  const filled = await run(["restore", archiveOf(from)], to);
  expect([filled.code, filled.stderr]).toEqual([1, expect.stringContaining("the storage of files is not empty")]);
});
