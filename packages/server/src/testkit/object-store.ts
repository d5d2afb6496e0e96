// oxlint-disable-next-line typescript/triple-slash-reference -- packages that import this file get the declaration through it
/// <reference path="./s3rver.d.ts" />
import { hash } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import S3rver, { type Store } from "s3rver";
import { signedBy } from "./signature-v4.ts";

/** The credentials and the bucket of the test server. */
export const storeKeys = { accessKeyID: "S3RVER", secretAccessKey: "S3RVER", bucketName: "rollcall" } as const;

export interface TestObjectStore {
  /** `http://127.0.0.1:port` of the proxy that can fail. */
  readonly endpoint: string;
  /** Requests since the last `forget`, as `PUT /rollcall/a/b`. */
  readonly requests: readonly string[];
  /** The region in the signature of the last request. */
  region(): string;
  forget(): void;
  /** Answers the next `count` requests with 503; with Infinity until changed. */
  failNext(count: number): void;
  /** Refuses requests whose line matches, until null. */
  refuse(pattern: RegExp | null): void;
  close(): Promise<void>;
}

function answer(incoming: IncomingMessage, response: ServerResponse, status: number, code: string, message: string): void {
  incoming.resume().on("end", () => {
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(incoming.method === "HEAD" ? "" : `<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
  });
}

function forward(incoming: IncomingMessage, response: ServerResponse, port: number): void {
  const { method, url, headers } = incoming;
  const forwarded = request({ host: "127.0.0.1", port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  forwarded.on("error", () => response.destroy());
  incoming.on("error", () => forwarded.destroy());
  response.on("close", () => forwarded.destroy());
  incoming.pipe(forwarded);
}

/** The server encrypts continuation tokens with a cipher that OpenSSL no longer has. */
function replaceDes(): void {
  const crypto = createRequire(import.meta.url)("node:crypto") as typeof import("node:crypto");
  for (const name of ["createCipheriv", "createDecipheriv"] as const) {
    const original = crypto[name] as unknown as (algorithm: string, key: Buffer, iv: Buffer) => never;
    crypto[name] = ((algorithm: string, key: Buffer, iv: Buffer) =>
      algorithm === "des"
        ? original("aes-128-cbc", Buffer.concat([key, key]), Buffer.concat([iv, iv]))
        : original(algorithm, key, iv)) as never;
  }
}
replaceDes();

export interface StoreOptions {
  /** A folder that keeps the data after `close`; by default a temporary one, which `close` removes. */
  readonly directory?: string;
  /** Called while an object is received, and when it is stored but not yet answered. */
  putting?(when: "taking" | "stored", key: string): void;
}

async function taken(content: Buffer | AsyncIterable<Uint8Array>, taking: () => void): Promise<Buffer> {
  if (Buffer.isBuffer(content)) return content;
  const chunks: Uint8Array[] = [];
  for await (const part of content) {
    chunks.push(part);
    taking();
  }
  return Buffer.concat(chunks);
}

/** Fixes that the server answers a PUT before the bytes are in the file, and serves incomplete files, unlike real stores. */
function storeWhole(store: Store, putting: StoreOptions["putting"]): void {
  let parts = 0;
  store.putObject = async ({ bucket, key, metadata, content }) => {
    const bytes = await taken(content, () => putting?.("taking", key));
    const file = store.getResourcePath(bucket, key, "object");
    const part = `${file}.${(parts += 1)}.part`;
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(part, bytes);
    const md5 = hash("md5", bytes);
    await store.putMetadata(bucket, key, metadata, md5);
    await rename(part, file);
    putting?.("stored", key);
    return { size: bytes.length, md5 };
  };
}

/** Fixes that the server does not list folders that contain only folders, and lists out of order, unlike real stores. */
function listByLevel(store: Store): void {
  const original = store.listObjects.bind(store);
  store.listObjects = async (bucket, options) => {
    const { delimiter, prefix = "", maxKeys = 1000 } = options;
    if (!delimiter) return await original(bucket, options);
    const all = await original(bucket, { ...options, delimiter: "", maxKeys: Infinity });
    const folderOf = (key: string) => {
      const end = key.indexOf(delimiter, prefix.length);
      return end < 0 ? null : key.slice(0, end + delimiter.length);
    };
    // The server walks files whose names end in a suffix of its own, so that "a-b" comes before "a".
    const direct = all.objects.filter(({ key }) => folderOf(key) === null).sort((one, other) => (one.key < other.key ? -1 : 1));
    const objects = direct.slice(0, maxKeys);
    const isTruncated = objects.length < direct.length;
    const last = objects.at(-1)?.key ?? "";
    const folders = new Set(all.objects.map(({ key }) => folderOf(key)).filter((folder) => folder !== null));
    return { objects, isTruncated, commonPrefixes: [...folders].filter((folder) => !isTruncated || folder < last).sort() };
  };
}

/** An S3 server in this process, behind a proxy that verifies signatures, which the server does not, and fails on demand. */
export async function startObjectStore(port = 0, options: StoreOptions = {}): Promise<TestObjectStore> {
  const directory = options.directory ?? mkdtempSync(path.join(tmpdir(), "rollcall-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: storeKeys.bucketName }, { name: "another" }],
  });
  storeWhole(server.store, options.putting);
  listByLevel(server.store);
  const { port: behind } = await server.run();
  const requests: string[] = [];
  let failing = 0;
  let region = "";
  let refused: RegExp | null = null;
  const front = createServer((incoming, response) => {
    const line = `${incoming.method} ${incoming.url?.split("?")[0]}`;
    requests.push(line);
    const signed = signedBy(incoming, storeKeys.secretAccessKey);
    region = signed?.region ?? region;
    if (failing > 0 || refused?.test(line)) {
      failing -= failing > 0 ? 1 : 0;
      answer(incoming, response, 503, "SlowDown", "Please reduce your request rate.");
    } else if (signed === null) answer(incoming, response, 403, "SignatureDoesNotMatch", "The signature does not match.");
    else forward(incoming, response, behind);
  });
  await new Promise<void>((resolve) => front.listen(port, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    requests,
    region: () => region,
    forget: () => void requests.splice(0),
    failNext: (count) => void (failing = count),
    refuse: (pattern) => void (refused = pattern),
    async close() {
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
      await server.close();
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}
