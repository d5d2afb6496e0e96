import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ByteRange } from "#core/contract/operation.ts";
import { BadStorageKey, type Storage } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { startObjectStore, storeKeys, type TestObjectStore } from "#testkit/object-store.ts";
import { createStorage } from "./index.ts";

const ids = createIds(systemClock);

interface Opened {
  /** Another adapter for the same folder or bucket. */
  open(prefix?: string | null): Storage;
  close(): Promise<void>;
}

const backends: Record<Storage["kind"], () => Promise<Opened>> = {
  async filesystem() {
    const folder = mkdtempSync(path.join(tmpdir(), "rollcall-storage-"));
    return { open: (prefix = null) => storageAt(folder, null, prefix), close: async () => rmSync(folder, { recursive: true }) };
  },
  async objectstore() {
    const store = await startObjectStore();
    return { open: (prefix = null) => storageAt(null, store, prefix), close: async () => await store.close() };
  },
};

function storageAt(folder: string | null, store: TestObjectStore | null, prefix: string | null): Storage {
  return createStorage(
    {
      type: folder === null ? "objectstore" : "filesystem",
      filesystem: { path: folder ?? "", prefix },
      objectstore: { ...storeKeys, endpoint: store?.endpoint ?? null, region: "us-east-1", prefix, retries: 0 },
    },
    { clock: systemClock, ids },
  );
}

async function* chunks(...given: readonly (string | Uint8Array)[]) {
  for (const part of given) yield Buffer.from(part as string);
}

async function textOf(storage: Storage, key: string, range?: ByteRange): Promise<string | null> {
  const found = await storage.open(key, range);
  if (found === null) return null;
  const all: Uint8Array[] = [];
  for await (const part of found.bytes) all.push(part);
  return Buffer.concat(all).toString();
}

async function keysOf(storage: Storage, folder: string, after?: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { name, object } of storage.entries(folder, after === undefined ? {} : { after })) {
    if (object) keys.push(object.key);
    else keys.push(...(await keysOf(storage, folder + name)));
  }
  return keys;
}

describe.each(Object.entries(backends))("storage in %s", (kind, start) => {
  let opened: Opened;
  let storage: Storage;
  beforeAll(async () => {
    opened = await start();
    storage = opened.open();
  });
  afterAll(async () => {
    await storage.close();
    await opened.close();
  });

  test("returns what was put, whole and in ranges", async () => {
    expect(storage.kind).toBe(kind);
    expect(await storage.put("docs/a/one.txt", chunks("0123", "456789"), { type: "text/plain" })).toEqual({ size: 10 });
    expect(await textOf(storage, "docs/a/one.txt")).toBe("0123456789");
    expect(await textOf(storage, "docs/a/one.txt", { from: 2, to: 4 })).toBe("234");
    expect(await textOf(storage, "docs/a/one.txt", { from: 8, to: 400 })).toBe("89");
    expect(await textOf(storage, "docs/a/one.txt", { from: 10, to: 12 })).toBe("");
    const part = await storage.open("docs/a/one.txt", { from: 2, to: 4 });
    for await (const bytes of part?.bytes ?? []) expect(Buffer.from(bytes).toString()).toBe("234");
    expect(part?.size).toBe(10);
    const found = await storage.stat("docs/a/one.txt");
    expect(found).toMatchObject({ key: "docs/a/one.txt", size: 10 });
    expect(Math.abs((found?.modifiedAt ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test("replaces objects, and stores empty ones", async () => {
    await storage.put("docs/two", chunks("long before"));
    await storage.put("docs/two", chunks("now"));
    expect(await textOf(storage, "docs/two")).toBe("now");
    await storage.put("docs/empty", chunks());
    expect([await textOf(storage, "docs/empty"), (await storage.stat("docs/empty"))?.size]).toEqual(["", 0]);
  });

  test("reports missing objects", async () => {
    expect(await storage.open("docs/none")).toBeNull();
    expect(await storage.stat("docs/none")).toBeNull();
    expect(await storage.remove("docs/none")).toBe(false);
    await storage.put("docs/some", chunks("x"));
    expect([await storage.remove("docs/some"), await storage.stat("docs/some")]).toEqual([true, null]);
  });

  test("refuses malformed keys before anything is changed", async () => {
    const wrong = ["", "a", "/a/b", "a/../b", "../a/b", "a/./b", "a//b", "a/b/", "a\\..\\b/c", "a/%2e%2e/b", "a/\0/b", "C:/a"];
    for (const key of [...wrong, ".incoming/x", "a/.b", "a/b c", "ä/b", "a/b\n", `a/${"x".repeat(600)}`]) {
      const tries = [
        () => storage.put(key, chunks("x")),
        () => storage.open(key),
        () => storage.stat(key),
        () => storage.remove(key),
      ];
      for (const attempt of tries) await expect(attempt(), JSON.stringify(key)).rejects.toBeInstanceOf(BadStorageKey);
    }
  });

  test("lists in the order of keys, below a folder and after a key", async () => {
    const keys = ["list/a", "list/a.c", "list/b/1", "list/b/2", "list/b0", "list/c"];
    for (const key of keys.toReversed()) await storage.put(key, chunks(key));
    expect(await keysOf(storage, "list/")).toEqual(keys);
    expect(await keysOf(storage, "list/", "")).toEqual(keys);
    expect(await keysOf(storage, "list/b/")).toEqual(["list/b/1", "list/b/2"]);
    const level = ["a", "a.c", "b/", "b0", "c"];
    const names = async (after: string) => {
      const found: string[] = [];
      for await (const { name, isFolder, object } of storage.entries("list/", { after })) {
        expect([isFolder, object === null]).toEqual([name.endsWith("/"), name.endsWith("/")]);
        found.push(name);
      }
      return found;
    };
    for (const [i, name] of level.entries()) expect(await names(name), name).toEqual(level.slice(i + 1));
    expect(await keysOf(storage, "nothing/")).toEqual([]);
  });

  test("lists more than one page, each key once, also where a page ends between an object and its thumbnail", async () => {
    const pairs = Array.from({ length: 550 }, (_, i) => `many/${String(i + 1).padStart(4, "0")}`);
    const keys = ["many/0000", ...pairs.flatMap((key) => [key, `${key}-t`])];
    for (let from = 0; from < keys.length; from += 50)
      await Promise.all(keys.slice(from, from + 50).map(async (key) => await storage.put(key, chunks("x"))));
    expect(await keysOf(storage, "many/")).toEqual(keys);
    expect(await keysOf(storage, "many/", keys[20]?.slice("many/".length))).toEqual(keys.slice(21));
  }, 30_000);

  test("separates prefixes, and removes them from keys", async () => {
    const [one, two] = [opened.open("one/x"), opened.open("two")];
    await one.put("docs/same", chunks("of one"));
    await two.put("docs/same", chunks("of two"));
    expect([await textOf(one, "docs/same"), await textOf(two, "docs/same")]).toEqual(["of one", "of two"]);
    expect(await keysOf(one, "docs/")).toEqual(["docs/same"]);
    expect(await textOf(storage, "one/x/docs/same")).toBe("of one");
    await Promise.all([one.close(), two.close()]);
  });

  test("leaves nothing of an interrupted upload, small or large", async () => {
    const gone = new Error("the client disconnected");
    async function* broken(before: number) {
      for (let i = 0; i < before; i += 1) yield randomBytes(1024 * 1024);
      throw gone;
    }
    const fresh = opened.open("broken");
    for (const before of [0, 1, 20]) await expect(fresh.put(`docs/b${before}`, broken(before))).rejects.toBe(gone);
    await storage.put("broken/docs/whole", chunks("x"));
    expect(await keysOf(fresh, "")).toEqual(["docs/whole"]);
    expect(await fresh.clean(() => true)).toBe(0);
    await fresh.close();
  });

  test("stores uploads of several parts unchanged", async () => {
    const bytes = randomBytes(20 * 1024 * 1024);
    async function* chunked() {
      for (let at = 0; at < bytes.length; at += 60_000) yield bytes.subarray(at, at + 60_000);
    }
    expect((await storage.put("docs/large", chunked())).size).toBe(bytes.length);
    const found = await storage.open("docs/large");
    const all: Uint8Array[] = [];
    for await (const part of found?.bytes ?? []) all.push(part);
    expect(Buffer.concat(all).equals(bytes)).toBe(true);
  });

  test("probes itself, and leaves nothing behind", async () => {
    await storage.probe();
    expect(await keysOf(storage, "probe/")).toEqual([]);
  });
});
