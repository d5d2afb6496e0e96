import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hash } from "node:crypto";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BadStorageKey, type Storage, StorageUnavailable } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { FilesystemStorage } from "./filesystem.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "rollcall-storage-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (clock = systemClock): Storage => new FilesystemStorage({ path: folder, prefix: "in/side", clock, life: "L1" });
async function* bytes(text: string) {
  yield Buffer.from(text);
}
const modeOf = (file: string) => (statSync(path.join(folder, file)).mode & 0o777).toString(8);

test("folders and files are accessible to this user only, whatever the umask", async () => {
  await open().put("docs/a/b", bytes("x"));
  for (const made of ["in", "in/side", "in/side/docs", "in/side/docs/a", "in/side/.incoming"])
    expect(modeOf(made), made).toBe("700");
  expect(modeOf("in/side/docs/a/b")).toBe("600");
});

test("links in the store are not followed", async () => {
  const outside = mkdtempSync(path.join(tmpdir(), "rollcall-outside-"));
  writeFileSync(path.join(outside, "secret"), "secret");
  const storage = open();
  await storage.put("docs/x", bytes("x"));
  symlinkSync(outside, path.join(folder, "in/side/docs/away"));
  symlinkSync(path.join(outside, "secret"), path.join(folder, "in/side/docs/link"));
  const tries = [
    async () => await storage.open("docs/away/secret"),
    async () => await storage.put("docs/away/new", bytes("x")),
    async () => await storage.put("docs/away/deep/new", bytes("x")),
    async () => await storage.remove("docs/away/secret"),
  ];
  for (const attempt of tries) await expect(attempt()).rejects.toBeInstanceOf(BadStorageKey);
  await expect(storage.open("docs/link")).rejects.toBeInstanceOf(StorageUnavailable);
  await storage.put("docs/link", bytes("own"));
  expect(readdirSync(outside)).toEqual(["secret"]);
  expect(statSync(path.join(outside, "secret")).size).toBe(6);
  rmSync(outside, { recursive: true });
});

test("a missing folder is an outage, not an empty store", async () => {
  const storage = open();
  await storage.put("docs/x", bytes("x"));
  renameSync(folder, `${folder}-away`);
  await expect(storage.put("docs/y", bytes("y"))).rejects.toBeInstanceOf(StorageUnavailable);
  await expect(storage.probe()).rejects.toThrow(/cannot write: .*ENOENT/);
  renameSync(`${folder}-away`, folder);
  await storage.probe();
});

test("leftovers of killed processes are removed, writes in progress stay", async () => {
  const incoming = path.join(folder, "in/side/.incoming");
  mkdirSync(incoming, { recursive: true });
  const host = hash("md5", hostname()).slice(0, 8);
  const [ended, elsewhere] = [`${host}.999999999.L0.1`, `00000000.1.L0.1`];
  const [restarted, other] = [`${host}.${process.pid}.L0.1`, `${host}.${process.ppid}.L9.1`];
  const foreign = ["notes.txt", `${host}.1`, `${host}.999999999.L0.1.bak`];
  for (const name of [ended, restarted, elsewhere, other, ...foreign]) writeFileSync(path.join(incoming, name), "part");
  let began: () => void = () => undefined;
  const beginning = new Promise<void>((resolve) => (began = resolve));
  let end: () => void = () => undefined;
  const ending = new Promise<void>((resolve) => (end = resolve));
  async function* slow() {
    yield Buffer.from("half");
    began();
    await ending;
    yield Buffer.from("whole");
  }
  const storage = open();
  const writing = storage.put("docs/slow", slow());
  await beginning;
  expect(await storage.clean(() => true)).toBe(2);
  expect(readdirSync(incoming)).toEqual(expect.arrayContaining([elsewhere, other]));
  expect(await open({ ...systemClock, now: () => Date.now() + 2 * 60 * 60_000 }).clean(() => true)).toBe(2);
  end();
  expect(await writing).toEqual({ size: 9 });
  expect(readdirSync(incoming).toSorted()).toEqual(foreign.toSorted());
});

test("foreign names are listed, and foreign folders are not entered", async () => {
  const storage = open();
  await storage.put("docs/x", bytes("x"));
  const root = path.join(folder, "in/side");
  mkdirSync(path.join(root, "lost+found", "deep"), { recursive: true, mode: 0o000 });
  writeFileSync(path.join(root, "Thumbs .db"), "12345");
  writeFileSync(path.join(root, ".hidden"), "");
  symlinkSync("/etc", path.join(root, "away"));
  const found: [string, boolean, number | null][] = [];
  for await (const { name, isFolder, object } of storage.entries("")) found.push([name, isFolder, object?.size ?? null]);
  expect(found).toEqual([
    [".hidden", false, 0],
    ["Thumbs .db", false, 5],
    ["away", false, null],
    ["docs/", true, null],
    ["lost+found/", true, null],
  ]);
});

test("keys are ordered by their bytes, as in an object store", async () => {
  const storage = open();
  const keys = ["docs/a-b", "docs/a.c", "docs/a/1", "docs/a0", "docs/b"];
  for (const key of keys.toReversed()) await storage.put(key, bytes("x"));
  const found: string[] = [];
  for await (const { name } of storage.entries("docs/")) found.push(`docs/${name}`);
  expect(found).toEqual(keys.map((key) => key.replace("/1", "/")));
});
