import type { LatestTopic, MessageOf, StateTopic } from "#core/contract/index.ts";
import type { Broker, Bucket, BucketEntry, Clock, LatestValue, LatestValues } from "#core/ports/index.ts";

export interface StoredValue {
  readonly key: string;
  readonly at: number;
  readonly data: unknown;
}

/** The name of a topic's bucket. */
export function bucketNameOf({ name }: StateTopic): string {
  return `LATEST_${name.replaceAll(/[^A-Za-z0-9_-]+/g, "-")}`;
}

export async function openLatest(broker: Broker, topic: LatestTopic): Promise<Bucket> {
  return await broker.bucket(bucketNameOf(topic), { ttlMs: topic.maxAgeMs });
}

/** The key of a topic may be empty, that of a bucket may not. */
export const bucketKeyOf = (key: string): string => `_${key}`;

export function encodeValue({ at, data }: Omit<StoredValue, "key">): Uint8Array {
  return Buffer.from(JSON.stringify({ at, data }));
}

export function decodeValue({ key, value }: BucketEntry): StoredValue {
  const { at, data } = JSON.parse(Buffer.from(value).toString()) as { at: number; data: unknown };
  return { key: key.slice(1), at, data };
}

/** Needs only the broker: a process without live connections reads the same values. */
export function createLatestValues({ broker, clock }: { readonly broker: Broker; readonly clock: Clock }): LatestValues {
  function present<D extends LatestTopic>(topic: D, entries: readonly BucketEntry[]): Array<LatestValue<MessageOf<D>>> {
    const now = clock.now();
    return entries
      .map(decodeValue)
      .map(({ key, at, data }) => ({ key, value: data as MessageOf<D>, ageMs: Math.max(0, now - at) }))
      .filter(({ ageMs }) => ageMs < topic.maxAgeMs);
  }

  return {
    async get(topic, key) {
      const entry = await (await openLatest(broker, topic)).get(bucketKeyOf(key));
      return present(topic, entry ? [entry] : [])[0] ?? null;
    },
    async list(topic, prefix = "") {
      const { entries } = await (await openLatest(broker, topic)).entries();
      return present(topic, entries)
        .filter(({ key }) => key.startsWith(prefix))
        .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    },
  };
}
