import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import type { ByteRange } from "#core/contract/operation.ts";
import { BadStorageKey, type Clock, type Storage, type StoredObject, StorageUnavailable } from "#core/ports/index.ts";
import { checkKey, prefixOf } from "./keys.ts";
import { probeStorage } from "./probe.ts";

export interface ObjectStoreOptions {
  /** With its scheme. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyID: string;
  readonly secretAccessKey: string;
  readonly bucketName: string;
  readonly prefix: string | null;
  /** Attempts after the first one. */
  readonly retries: number;
  readonly clock: Clock;
  /** Unlike that of any other process. */
  readonly life: string;
}

type Sdk = typeof import("@aws-sdk/client-s3");

interface Loaded {
  readonly sdk: Sdk;
  readonly client: S3Client;
}

/** An upload in parts that began this long ago belongs to a process that was killed. */
const abandonedMs = 24 * 60 * 60_000;
const [connectMs, answerMs, idleMs] = [5000, 30_000, 30_000];
const partBytes = 8 * 1024 * 1024;
/** Answers to what a store does not know. */
const unknownCalls = new Set(["NotImplemented", "MethodNotAllowed", "UnknownOperation"]);

interface StoreError {
  readonly name?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

function unavailable(what: string, error: unknown): StorageUnavailable {
  const { name = "", message = "", $metadata } = error as StoreError;
  const status = $metadata?.httpStatusCode === undefined ? "" : `HTTP ${$metadata.httpStatusCode} `;
  const words = message === "" || message === name || message === "UnknownError" ? name : `${name}: ${message}`;
  return new StorageUnavailable(`${what}: ${status}${words}`.slice(0, 500), { cause: error });
}

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as StoreError;
  return name === "NoSuchKey" || (name === "NotFound" && $metadata?.httpStatusCode === 404);
}

const isBeyondEnd = (error: unknown) => (error as StoreError).name === "InvalidRange";

/** The AWS client is large: it is loaded when the store is first used. */
async function load(options: ObjectStoreOptions): Promise<Loaded> {
  const sdk = await import("@aws-sdk/client-s3");
  const client = new sdk.S3Client({
    endpoint: options.endpoint,
    region: options.region,
    credentials: { accessKeyId: options.accessKeyID, secretAccessKey: options.secretAccessKey },
    forcePathStyle: true,
    maxAttempts: options.retries + 1,
    // Stores other than Amazon's refuse checksums that they do not know.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: idleMs,
    },
  });
  return { sdk, client };
}

/** Objects in a bucket of an S3-compatible store. */
export function createObjectStorage(options: ObjectStoreOptions): Storage {
  const { bucketName: Bucket, retries } = options;
  const prefix = prefixOf(options.prefix);
  let loading: Promise<Loaded> | null = null;
  let probes = 0;
  const loaded = async () => await (loading ??= load(options));
  const keyOf = (key: string) => prefix + checkKey(key);

  async function ask<T>(what: string, work: (parts: Loaded) => Promise<T>): Promise<T> {
    const parts = await loaded();
    try {
      return await work(parts);
    } catch (error) {
      throw isMissing(error) || isBeyondEnd(error) || error instanceof BadStorageKey ? error : unavailable(what, error);
    }
  }

  async function orNull<T>(work: Promise<T>): Promise<T | null> {
    return await work.catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
  }

  async function put(key: string, bytes: AsyncIterable<Uint8Array>, type: string | undefined): Promise<number> {
    const Key = keyOf(key);
    const { client } = await loaded();
    const { Upload } = await import("@aws-sdk/lib-storage");
    let size = 0;
    let broken: { readonly error: unknown } | null = null;
    async function* counted() {
      try {
        for await (const part of bytes) {
          size += part.length;
          yield part;
        }
      } catch (error) {
        broken = { error };
        throw error;
      }
    }
    const params = { Bucket, Key, Body: Readable.from(counted(), { objectMode: false }), ContentType: type };
    const upload = new Upload({ client, params, partSize: partBytes, queueSize: 1, leavePartsOnError: false });
    try {
      await upload.done();
      return size;
    } catch (error) {
      const source = broken as { readonly error: unknown } | null;
      throw source === null ? unavailable(`put ${key}`, error) : source.error;
    }
  }

  async function get(key: string, range: ByteRange | null, etag?: string) {
    const Range = range === null ? {} : { Range: `bytes=${range.from}-${range.to}` };
    const IfMatch = etag === undefined ? {} : { IfMatch: etag };
    return await ask(
      `get ${key}`,
      async ({ sdk, client }) => await client.send(new sdk.GetObjectCommand({ Bucket, Key: keyOf(key), ...Range, ...IfMatch })),
    );
  }

  type Answer = Awaited<ReturnType<typeof get>>;

  /** The bytes of an answer; one that breaks off is asked for again from where it stood. */
  async function* bytesOf(key: string, first: Answer, from: number, to: number): AsyncIterable<Uint8Array> {
    let [answer, at] = [first, from];
    for (let attempt = 0; ; attempt += 1) {
      try {
        for await (const part of answer.Body as AsyncIterable<Uint8Array>) {
          at += part.length;
          yield part;
        }
        if (at > to) return;
        throw new Error(`ended after ${at - from} of ${to + 1 - from} bytes`);
      } catch (error) {
        if (attempt >= retries) throw error instanceof StorageUnavailable ? error : unavailable(`get ${key}`, error);
      }
      answer = await get(key, { from: at, to }, first.ETag);
    }
  }

  async function open(key: string, range: ByteRange | null) {
    const answer = await orNull(get(key, range)).catch(async (error: unknown) => {
      if (isBeyondEnd(error)) return "beyond" as const;
      throw error;
    });
    if (answer === null) return null;
    if (answer === "beyond") return { size: (await stat(key))?.size ?? 0, bytes: nothing() };
    const length = answer.ContentLength ?? 0;
    const total = Number(answer.ContentRange?.split("/")[1] ?? length);
    const from = answer.ContentRange === undefined ? 0 : (range?.from ?? 0);
    return { size: total, bytes: bytesOf(key, answer, from, from + length - 1) };
  }

  async function stat(key: string): Promise<StoredObject | null> {
    const found = await orNull(
      ask(`head ${key}`, async ({ sdk, client }) => await client.send(new sdk.HeadObjectCommand({ Bucket, Key: keyOf(key) }))),
    );
    return found && { key, size: found.ContentLength ?? 0, modifiedAt: found.LastModified?.getTime() ?? 0 };
  }

  async function* list(below: string, after: string | undefined): AsyncIterable<StoredObject> {
    let ContinuationToken: string | undefined;
    do {
      const page = await ask("list", async ({ sdk, client }) => {
        const start = after === undefined ? {} : { StartAfter: prefix + after };
        const next = ContinuationToken === undefined ? start : { ContinuationToken };
        return await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix + below, ...next }));
      });
      for (const { Key = "", Size = 0, LastModified } of page.Contents ?? []) {
        yield { key: Key.slice(prefix.length), size: Size, modifiedAt: LastModified?.getTime() ?? 0 };
      }
      ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }

  async function clean(): Promise<number> {
    return await ask("list uploads", async ({ sdk, client }) => {
      const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: prefix }));
      const old = Uploads.filter(({ Initiated }) => options.clock.now() - (Initiated?.getTime() ?? 0) > abandonedMs);
      for (const { Key, UploadId } of old) await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      return old.length;
    }).catch((error: unknown) => {
      if (unknownCalls.has((error as { cause?: StoreError }).cause?.name ?? "")) return 0;
      throw error;
    });
  }

  const storage: Storage = {
    kind: "objectstore",
    put: async (key, bytes, { type } = {}) => ({ size: await put(key, bytes, type) }),
    open: async (key, range) => await open(key, range ?? null),
    stat,
    async remove(key) {
      if ((await stat(key)) === null) return false;
      await ask(
        `delete ${key}`,
        async ({ sdk, client }) => await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: keyOf(key) })),
      );
      return true;
    },
    list: (below, { after } = {}) => list(below, after === "" ? undefined : after),
    probe: async () => await probeStorage(storage, `probe/${options.life}-${(probes += 1)}`),
    clean,
    async close() {
      if (loading) (await loading).client.destroy();
    },
  };
  return storage;
}

async function* nothing(): AsyncIterable<Uint8Array> {
  // An empty object, or a range beyond its end.
}
