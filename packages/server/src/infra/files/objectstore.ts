import { Readable } from "node:stream";
import type { GetObjectCommandOutput, ListObjectsV2CommandOutput, S3Client } from "@aws-sdk/client-s3";
import type { ByteRange } from "#core/contract/operation.ts";
import {
  BadStorageKey,
  type Clock,
  type Storage,
  type StorageEntry,
  type StoredObject,
  StorageUnavailable,
} from "#core/ports/index.ts";
import { checkKey, prefixOf } from "./keys.ts";
import { probeStorage } from "./probe.ts";

export interface ObjectStoreOptions {
  /** URL with its scheme. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyID: string;
  readonly secretAccessKey: string;
  readonly bucketName: string;
  readonly prefix: string | null;
  /** Attempts after the first one. */
  readonly retries: number;
  readonly clock: Clock;
  /** Unique per process. */
  readonly life: string;
}

type Sdk = typeof import("@aws-sdk/client-s3");

interface SdkClient {
  readonly sdk: Sdk;
  readonly client: S3Client;
}

/** A multipart upload older than this belongs to a killed process. */
const abandonedMs = 24 * 60 * 60_000;
const [connectMs, answerMs, idleMs] = [5000, 30_000, 30_000];
const partBytes = 8 * 1024 * 1024;
/** Time limit of a probe; a slower store is considered unusable. */
const probeLimitMs = 6000;
/** Error names for operations that a store does not implement. */
const unknownCalls = new Set(["NotImplemented", "MethodNotAllowed", "UnknownOperation"]);

interface StoreError {
  readonly name?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

function unavailable(what: string, error: unknown): StorageUnavailable {
  const { name = "", message = "", $metadata } = error as StoreError;
  const status = $metadata?.httpStatusCode === undefined ? "" : `HTTP ${$metadata.httpStatusCode} `;
  const text = message === "" || message === name || message === "UnknownError" ? name : `${name}: ${message}`;
  return new StorageUnavailable(`${what}: ${status}${text}`.slice(0, 500), { cause: error });
}

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as StoreError;
  return name === "NoSuchKey" || (name === "NotFound" && $metadata?.httpStatusCode === 404);
}

function decode(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch {
    return key;
  }
}

const isBeyondEnd = (error: unknown) => (error as StoreError).name === "InvalidRange";

/** The AWS client is large: it is loaded when the store is first used. */
async function load(options: ObjectStoreOptions): Promise<SdkClient> {
  const sdk = await import("@aws-sdk/client-s3");
  const client = new sdk.S3Client({
    endpoint: options.endpoint,
    region: options.region,
    credentials: { accessKeyId: options.accessKeyID, secretAccessKey: options.secretAccessKey },
    forcePathStyle: true,
    maxAttempts: options.retries + 1,
    // Other stores than Amazon's refuse checksums that they do not support.
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

/** The same client, but all of its requests, including retries, end when `signal` is aborted. */
function withSignal({ sdk, client }: SdkClient, signal: AbortSignal): SdkClient {
  const send = async (command: Parameters<S3Client["send"]>[0]) => await client.send(command, { abortSignal: signal });
  return { sdk, client: Object.create(client, { send: { value: send } }) as S3Client };
}

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  return await work.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}

/** Objects in a bucket of an S3-compatible store. */
export class ObjectStorage implements Storage {
  readonly kind = "objectstore";
  readonly #options: ObjectStoreOptions;
  readonly #prefix: string;
  readonly #connect: () => Promise<SdkClient>;
  #loaded: Promise<SdkClient> | null = null;
  #probes = 0;

  /** `connect` gives another client, which is then not closed by `close`. */
  constructor(options: ObjectStoreOptions, connect?: () => Promise<SdkClient>) {
    this.#options = options;
    this.#prefix = prefixOf(options.prefix);
    this.#connect = connect ?? (async () => await (this.#loaded ??= load(options)));
  }

  async put(
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    { type }: { readonly type?: string } = {},
  ): Promise<{ readonly size: number }> {
    const Key = this.#fullKey(key);
    const { client } = await this.#connect();
    const { Upload } = await import("@aws-sdk/lib-storage");
    let size = 0;
    let broken: { readonly error: unknown } | null = null;
    async function* counted() {
      try {
        for await (const chunk of bytes) {
          size += chunk.length;
          yield chunk;
        }
      } catch (error) {
        broken = { error };
        throw error;
      }
    }
    const Body = Readable.from(counted(), { objectMode: false });
    const params = { Bucket: this.#options.bucketName, Key, Body, ContentType: type };
    const upload = new Upload({ client, params, partSize: partBytes, queueSize: 1, leavePartsOnError: false });
    try {
      await upload.done();
      return { size };
    } catch (error) {
      const source = broken as { readonly error: unknown } | null;
      throw source === null ? unavailable(`put ${key}`, error) : source.error;
    }
  }

  async open(
    key: string,
    range: ByteRange | null = null,
  ): Promise<{ readonly size: number; readonly bytes: AsyncIterable<Uint8Array> } | null> {
    const answer = await orNull(this.#get(key, range)).catch(async (error: unknown) => {
      if (isBeyondEnd(error)) return "beyond" as const;
      throw error;
    });
    if (answer === null) return null;
    if (answer === "beyond") return { size: (await this.stat(key))?.size ?? 0, bytes: nothing() };
    const length = answer.ContentLength ?? 0;
    const total = Number(answer.ContentRange?.split("/")[1] ?? length);
    const from = answer.ContentRange === undefined ? 0 : (range?.from ?? 0);
    return { size: total, bytes: this.#read(key, answer, from, from + length - 1) };
  }

  async stat(key: string): Promise<StoredObject | null> {
    const found = await orNull(
      this.#request(`head ${key}`, async ({ sdk, client }) => await client.send(new sdk.HeadObjectCommand(this.#object(key)))),
    );
    return found && { key, size: found.ContentLength ?? 0, modifiedAt: found.LastModified?.getTime() ?? 0 };
  }

  async remove(key: string): Promise<boolean> {
    if ((await this.stat(key)) === null) return false;
    await this.#request(
      `delete ${key}`,
      async ({ sdk, client }) => await client.send(new sdk.DeleteObjectCommand(this.#object(key))),
    );
    return true;
  }

  /** Reads one level only, so that a shared bucket is not read completely. */
  async *entries(folder: string, { after = "" }: { readonly after?: string } = {}): AsyncIterable<StorageEntry> {
    const base = this.#prefix + folder;
    let ContinuationToken: string | undefined;
    do {
      const page = await this.#request("list", async ({ sdk, client }) => {
        const start = after === "" ? {} : { StartAfter: base + after };
        const next = ContinuationToken === undefined ? start : { ContinuationToken };
        const shape = { Bucket: this.#options.bucketName, Prefix: base, Delimiter: "/", EncodingType: "url" } as const;
        return await client.send(new sdk.ListObjectsV2Command({ ...shape, ...next }));
      });
      yield* entriesOf(page, folder, base.length).filter(({ name }) => name > after);
      ContinuationToken = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (ContinuationToken !== undefined);
  }

  async probe(): Promise<void> {
    const { clock, life } = this.#options;
    const ending = new AbortController();
    const limit = clock.setTimeout(() => ending.abort(), probeLimitMs);
    const limited = new ObjectStorage(this.#options, async () => withSignal(await this.#connect(), ending.signal));
    this.#probes += 1;
    try {
      await probeStorage(limited, `probe/${life}-${this.#probes}`);
    } catch (error) {
      throw ending.signal.aborted ? new StorageUnavailable(`no answer within ${probeLimitMs / 1000} s`, { cause: error }) : error;
    } finally {
      limit.cancel();
    }
  }

  async clean(owned: (key: string) => boolean): Promise<number> {
    const { bucketName: Bucket, clock } = this.#options;
    return await this.#request("list uploads", async ({ sdk, client }) => {
      const { Uploads = [] } = await client.send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: this.#prefix }));
      const abandoned = Uploads.filter(
        ({ Initiated, Key = "" }) =>
          owned(Key.slice(this.#prefix.length)) && clock.now() - (Initiated?.getTime() ?? 0) > abandonedMs,
      );
      for (const { Key, UploadId } of abandoned)
        await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      return abandoned.length;
    }).catch((error: unknown) => {
      if (unknownCalls.has((error as { cause?: StoreError }).cause?.name ?? "")) return 0;
      throw error;
    });
  }

  async close(): Promise<void> {
    if (this.#loaded) (await this.#loaded).client.destroy();
  }

  async #request<T>(what: string, work: (loaded: SdkClient) => Promise<T>): Promise<T> {
    const loaded = await this.#connect();
    try {
      return await work(loaded);
    } catch (error) {
      throw isMissing(error) || isBeyondEnd(error) || error instanceof BadStorageKey ? error : unavailable(what, error);
    }
  }

  async #get(key: string, range: ByteRange | null, etag?: string): Promise<GetObjectCommandOutput> {
    const Range = range === null ? {} : { Range: `bytes=${range.from}-${range.to}` };
    const IfMatch = etag === undefined ? {} : { IfMatch: etag };
    return await this.#request(
      `get ${key}`,
      async ({ sdk, client }) => await client.send(new sdk.GetObjectCommand({ ...this.#object(key), ...Range, ...IfMatch })),
    );
  }

  /** The bytes of an answer; when it breaks off, the rest is requested again. */
  async *#read(key: string, first: GetObjectCommandOutput, from: number, to: number): AsyncIterable<Uint8Array> {
    let [answer, at] = [first, from];
    for (let attempt = 0; ; attempt += 1) {
      try {
        for await (const chunk of answer.Body as AsyncIterable<Uint8Array>) {
          at += chunk.length;
          yield chunk;
        }
        if (at > to) return;
        throw new Error(`ended after ${at - from} of ${to + 1 - from} bytes`);
      } catch (error) {
        if (attempt >= this.#options.retries)
          throw error instanceof StorageUnavailable ? error : unavailable(`get ${key}`, error);
      }
      answer = await this.#get(key, { from: at, to }, first.ETag);
    }
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#options.bucketName, Key: this.#fullKey(key) };
  }

  #fullKey(key: string): string {
    return this.#prefix + checkKey(key);
  }
}

function entriesOf(page: ListObjectsV2CommandOutput, folder: string, baseLength: number): StorageEntry[] {
  // XML cannot contain every character of a key; a store that does not encode them omits EncodingType.
  const nameOf = (key: string) => (page.EncodingType === "url" ? decode(key) : key).slice(baseLength);
  const folders = (page.CommonPrefixes ?? []).map(({ Prefix = "" }) => ({
    name: nameOf(Prefix),
    isFolder: true,
    object: null,
  }));
  const objects = (page.Contents ?? []).map(({ Key = "", Size: size = 0, LastModified }) => {
    const name = nameOf(Key);
    const modifiedAt = LastModified?.getTime() ?? 0;
    return { name, isFolder: false, object: { key: folder + name, size, modifiedAt } };
  });
  // Consoles of object stores create an empty object to represent a folder.
  const named = [...folders, ...objects].filter(({ name }) => name !== "");
  return named.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function* nothing(): AsyncIterable<Uint8Array> {
  // An empty object, or a range beyond its end.
}
