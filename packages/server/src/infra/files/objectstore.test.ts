import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StorageUnavailable } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { startObjectStore, storeKeys, type TestObjectStore } from "#testkit/object-store.ts";
import { createObjectStorage } from "./objectstore.ts";

async function* bytes(text: string) {
  yield Buffer.from(text);
}

describe("an object store that fails", () => {
  let store: TestObjectStore;
  beforeAll(async () => {
    store = await startObjectStore();
  });
  afterAll(async () => await store.close());
  beforeEach(() => {
    store.failNext(0);
    store.refuse(null);
    store.forget();
  });
  const open = (retries: number, more: object = {}) =>
    createObjectStorage({
      ...storeKeys,
      endpoint: store.endpoint,
      region: "us-east-1",
      prefix: "p",
      retries,
      clock: systemClock,
      life: "L1",
      ...more,
    });

  test("twice is asked three times with retries 3, and once with retries 0", async () => {
    store.failNext(2);
    expect(await open(3).put("docs/a", bytes("x"))).toEqual({ size: 1 });
    expect(store.requests).toEqual(Array.from({ length: 3 }, () => "PUT /rollcall/p/docs/a"));
    store.forget();
    store.failNext(2);
    await expect(open(0).put("docs/b", bytes("x"))).rejects.toBeInstanceOf(StorageUnavailable);
    expect(store.requests).toHaveLength(1);
  });

  test.each([0, 1, 3])("always is asked %i times again", async (retries) => {
    store.failNext(Number.POSITIVE_INFINITY);
    for (const work of [(s: ReturnType<typeof open>) => s.stat("docs/a"), (s: ReturnType<typeof open>) => s.remove("docs/a")]) {
      store.forget();
      await expect(work(open(retries))).rejects.toBeInstanceOf(StorageUnavailable);
      expect(store.requests).toHaveLength(retries + 1);
    }
  });

  test("says which step it refuses", async () => {
    for (const [step, pattern] of [
      ["write", /^PUT/],
      ["read", /^GET/],
      ["delete", /^DELETE/],
    ] as const) {
      store.refuse(pattern);
      await expect(open(0).probe()).rejects.toThrow(new RegExp(`^cannot ${step}: .*SlowDown`));
    }
  });

  test("names what is wrong with keys, bucket and address", async () => {
    await expect(open(0, { secretAccessKey: "wrong" }).probe()).rejects.toThrow(/cannot write: .*SignatureDoesNotMatch/);
    await expect(open(0, { accessKeyID: "nobody" }).probe()).rejects.toThrow(/cannot write: .*InvalidAccessKeyId/);
    await expect(open(0, { bucketName: "nowhere" }).probe()).rejects.toThrow(/cannot write: .*NoSuchBucket/);
    await expect(open(0, { bucketName: "nowhere" }).open("docs/a")).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(open(0, { endpoint: "http://127.0.0.1:9" }).probe()).rejects.toThrow(/cannot write: .*ECONNREFUSED/);
  });
});
