import { type JetStreamManager, JetStreamApiError } from "@nats-io/jetstream";
import type { Log } from "#core/ports/index.ts";
import { Namespace } from "../namespace.ts";
import { isStreamMissing } from "./errors.ts";
import { type NatsInput, NatsLink } from "./link.ts";

/** Reads what is on a server, of any installation, over a separate connection. */
export interface Survey {
  /** The description of a stream; null if there is no such stream. */
  descriptionOf(stream: string): Promise<string | null>;
  /** The value of a key, without creating the bucket; null if there is none. */
  valueOf(bucket: string, key: string): Promise<Uint8Array | null>;
  /** Whether a process is waiting for messages of the stream. */
  isRead(stream: string): Promise<boolean>;
  remove(stream: string): Promise<void>;
  close(): Promise<void>;
}

const noMessage = 10_037;
/** Errors are thrown; log lines of this connection could be mistaken for those of the process's own one. */
const noLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Throws `BrokerUnavailable` with one line for the operator. */
export async function openSurvey(input: Pick<NatsInput, "url" | "replicas" | "clock">): Promise<Survey> {
  const link = new NatsLink({ ...input, log: noLog, start: "required", namespace: new Namespace("rollcall") });
  await link.start();
  // Requests use full names of streams, so the namespace does not matter.
  const request = async <T>(work: (jsm: JetStreamManager) => Promise<T>) => await link.call(async ({ jsm }) => await work(jsm));

  async function unlessMissing<T>(work: (jsm: JetStreamManager) => Promise<T>): Promise<T | null> {
    return await request(work).catch((error: unknown) => {
      if (isStreamMissing(error) || (error instanceof JetStreamApiError && error.code === noMessage)) return null;
      throw error;
    });
  }

  return {
    descriptionOf: async (stream) =>
      await unlessMissing(async (jsm) => (await jsm.streams.info(stream)).config.description ?? ""),
    valueOf: async (bucket, key) =>
      await unlessMissing(async (jsm) => {
        const found = await jsm.streams.getMessage(`KV_${bucket}`, { last_by_subj: `$KV.${bucket}.${key}` });
        return found?.data ?? null;
      }),
    isRead: async (stream) =>
      await request(async (jsm) => (await all(jsm.consumers.list(stream))).some(({ num_waiting }) => num_waiting > 0)),
    remove: async (stream) => void (await request(async (jsm) => await jsm.streams.delete(stream))),
    close: async () => await link.close(),
  };
}
