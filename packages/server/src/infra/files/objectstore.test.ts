import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { StorageUnavailable } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { startObjectStore, storeKeys, type TestObjectStore } from "#testkit/object-store.ts";
import { ObjectStorage } from "./objectstore.ts";

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
    new ObjectStorage({
      ...storeKeys,
      endpoint: store.endpoint,
      region: "us-east-1",
      prefix: "p",
      retries,
      clock: systemClock,
      life: "L1",
      ...more,
    });

  test("twice gets three requests with retries 3, and one with retries 0", async () => {
    store.failNext(2);
    expect(await open(3).put("docs/a", bytes("x"))).toEqual({ size: 1 });
    expect(store.requests).toEqual(Array.from({ length: 3 }, () => "PUT /rollcall/p/docs/a"));
    store.forget();
    store.failNext(2);
    await expect(open(0).put("docs/b", bytes("x"))).rejects.toBeInstanceOf(StorageUnavailable);
    expect(store.requests).toHaveLength(1);
  });

  test.each([0, 1, 3])("permanently gets %i retries", async (retries) => {
    store.failNext(Number.POSITIVE_INFINITY);
    for (const work of [(s: ReturnType<typeof open>) => s.stat("docs/a"), (s: ReturnType<typeof open>) => s.remove("docs/a")]) {
      store.forget();
      await expect(work(open(retries))).rejects.toBeInstanceOf(StorageUnavailable);
      expect(store.requests).toHaveLength(retries + 1);
    }
  });

  test("is reported with the failed step", async () => {
    for (const [step, pattern] of [
      ["write", /^PUT/],
      ["read", /^GET/],
      ["delete", /^DELETE/],
    ] as const) {
      store.refuse(pattern);
      await expect(open(0).probe()).rejects.toThrow(new RegExp(`^cannot ${step}: .*SlowDown`));
    }
  });

  test("is reported with the problem of keys, bucket or address", async () => {
    await expect(open(0, { secretAccessKey: "wrong" }).probe()).rejects.toThrow(/cannot write: .*SignatureDoesNotMatch/);
    await expect(open(0, { accessKeyID: "unknown" }).probe()).rejects.toThrow(/cannot write: .*InvalidAccessKeyId/);
    await expect(open(0, { bucketName: "nowhere" }).probe()).rejects.toThrow(/cannot write: .*NoSuchBucket/);
    await expect(open(0, { bucketName: "nowhere" }).open("docs/a")).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(open(0, { endpoint: "http://127.0.0.1:9" }).probe()).rejects.toThrow(/cannot write: .*ECONNREFUSED/);
  });
});

test("abandoned foreign uploads in a shared bucket are not aborted", async () => {
  const ended: string[] = [];
  const initiated = new Date(Date.now() - 3 * 24 * 60 * 60_000).toISOString();
  const upload = (key: string) => `<Upload><Key>${key}</Key><UploadId>u</UploadId><Initiated>${initiated}</Initiated></Upload>`;
  const server = createServer((incoming, response) => {
    if (incoming.method === "DELETE") ended.push(incoming.url?.split("?")[0] ?? "");
    const list = `<ListMultipartUploadsResult>${upload("p/mine")}${upload("p/other.iso")}</ListMultipartUploadsResult>`;
    response.end(incoming.method === "DELETE" ? "" : list);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const shape = { ...storeKeys, endpoint, region: "us-east-1", prefix: "p", retries: 0, clock: systemClock, life: "L1" };
  const storage = new ObjectStorage(shape);
  expect(await storage.clean((key) => key === "mine")).toBe(1);
  expect(ended).toEqual(["/rollcall/p/mine"]);
  await storage.close();
  await new Promise((resolve) => server.close(resolve));
});
