// oxlint-disable-next-line typescript/triple-slash-reference -- packages that import this file see the declaration through it
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

/** What the test server knows; it refuses any other key. */
export const storeKeys = { accessKeyID: "S3RVER", secretAccessKey: "S3RVER", bucketName: "rollcall" } as const;

export interface TestObjectStore {
  /** `http://127.0.0.1:port`, through the stand-in that can fail. */
  readonly endpoint: string;
  /** Requests that came, as `PUT /rollcall/a/b`, since the last `forget`. */
  readonly requests: readonly string[];
  /** The region that the last request was signed for. */
  region(): string;
  forget(): void;
  /** Answers the next so many requests with 503 itself; Infinity until told otherwise. */
  failNext(count: number): void;
  /** Answers no request whose line matches, until null. */
  refuse(pattern: RegExp | null): void;
  close(): Promise<void>;
}

function answer(incoming: IncomingMessage, response: ServerResponse, status: number, code: string, message: string): void {
  incoming.resume().on("end", () => {
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(incoming.method === "HEAD" ? "" : `<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
  });
}

function pass(incoming: IncomingMessage, response: ServerResponse, port: number): void {
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

/** The server writes where the next page of a list begins with a cipher that OpenSSL has dropped. */
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
  /** Where it stores, and still finds after `close` what it had; a folder of its own, removed by `close`, unless given. */
  readonly directory?: string;
  /** Told while the bytes of an object come in, and when it is stored but not yet answered. */
  putting?(when: "taking" | "stored", key: string): void;
}

async function taken(content: Buffer | AsyncIterable<Uint8Array>, taking: () => void): Promise<Buffer> {
  if (Buffer.isBuffer(content)) return content;
  const parts: Uint8Array[] = [];
  for await (const part of content) {
    parts.push(part);
    taking();
  }
  return Buffer.concat(parts);
}

/** The server itself answers a PUT before the bytes are in the file, and shows half a file, unlike any real store. */
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

/** An S3 server in this process, behind a stand-in that checks signatures, which it does not, and fails on demand. */
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
    } else if (signed === null) answer(incoming, response, 403, "SignatureDoesNotMatch", "The signature is another.");
    else pass(incoming, response, behind);
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
