/**
 * The message broker: publish/subscribe, durable streams, key-value buckets with revisions and a
 * bucket-wide TTL. Its content can always be rebuilt from SQL. Subjects are dotted words;
 * `*` matches one word and a final `>` matches the rest.
 */
export interface Broker {
  readonly kind: "embedded" | "nats";
  state(): BrokerState;
  onStateChange(listener: (state: BrokerState) => void): () => void;

  /** Delivers at most once, to current subscribers. */
  publish(subject: string, data: Uint8Array): Promise<void>;
  subscribe(subject: string, handler: (message: { subject: string; data: Uint8Array }) => void): Subscription;

  /** Creates the stream or brings it to this definition. Idempotent. */
  ensureStream(definition: StreamDefinition): Promise<void>;
  /** Resolves when the message is stored; a repeated `id` within the window is not stored again. */
  append(subject: string, data: Uint8Array, options: { id: string }): Promise<{ seq: number; duplicate: boolean }>;
  streamInfo(stream: string): Promise<StreamInfo>;
  /**
   * Messages from `fromSeq` (inclusive) in order; fewer than `limit` means the end was reached.
   * Starts at the first retained message if `fromSeq` is before it, and is empty beyond the end: a
   * caller with an old position compares it with `streamInfo` first.
   */
  read(stream: string, fromSeq: number, limit: number): Promise<StreamMessage[]>;
  /**
   * Consumes a whole stream. With `durable`, unacknowledged messages are delivered again (also after
   * a restart) and several processes share them; without, this process receives every message from
   * `start` on, in order, and the consumer is created again without a gap after a reconnect.
   * When the handler throws, the message is delivered again after a growing delay. Messages are
   * delivered one at a time. During an outage it resolves at once and starts when the broker is up.
   * Throws `StreamPositionLost` for a start sequence that the stream does not contain.
   */
  consume(stream: string, options: ConsumeOptions, handler: (message: StreamMessage) => Promise<void>): Promise<Subscription>;

  /** Opens a bucket, creating it if needed. */
  bucket(name: string, options?: { ttlMs?: number }): Promise<Bucket>;
  close(): Promise<void>;
}

export interface BrokerState {
  readonly up: boolean;
  readonly since: number;
  readonly reason: string | null;
}

export interface StreamDefinition {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly maxAgeMs: number;
  readonly maxBytes?: number;
  readonly duplicateWindowMs: number;
  /**
   * Identifies the state of the database that the messages follow from: letters and digits. A stream of
   * another generation is deleted with its consumers and created again, which changes its epoch. If left
   * out, an existing stream stays.
   */
  readonly generation?: string;
}

export interface StreamInfo {
  /** Changes whenever the stream is created again: positions of another epoch are invalid. */
  readonly epoch: string;
  /** First and last retained sequence; `last` is 0 and `first` 1 on an empty new stream. */
  readonly first: number;
  readonly last: number;
}

export interface StreamMessage {
  readonly seq: number;
  readonly subject: string;
  readonly id: string;
  readonly data: Uint8Array;
  /** When it was stored, milliseconds UTC. */
  readonly at: number;
  /** 1 on the first delivery. */
  readonly attempt: number;
}

export interface ConsumeOptions {
  readonly durable?: string;
  /** Where a new consumer starts; `seq` is the sequence of the first message. */
  readonly start: "new" | "all" | { readonly seq: number };
  /**
   * Without `durable` only. Called before the next message if earlier positions are invalid (`epoch`:
   * the stream was lost, restored or created again) or if messages were deleted before this process
   * could read them (`gap`). Consumption continues at `info.first`.
   */
  readonly onReset?: (info: StreamInfo, reason: "epoch" | "gap") => void;
}

export interface Subscription {
  close(): Promise<void>;
}

export interface BucketEntry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly revision: number;
}

export interface BucketContent {
  /** Changes whenever the bucket is created again: entries that are missing then were lost, not deleted. */
  readonly epoch: string;
  readonly entries: readonly BucketEntry[];
}

export interface Bucket {
  get(key: string): Promise<BucketEntry | null>;
  put(key: string, value: Uint8Array): Promise<number>;
  /** Only if the key is absent; throws `RevisionConflict` otherwise. */
  create(key: string, value: Uint8Array): Promise<number>;
  /** Only if the key is at `revision`; throws `RevisionConflict` otherwise. */
  update(key: string, value: Uint8Array, revision: number): Promise<number>;
  delete(key: string): Promise<void>;
  keys(): Promise<string[]>;
  /** All present entries. */
  entries(): Promise<BucketContent>;
  /** Present entries first, then changes; `value` null means deleted or expired. */
  watch(handler: (change: { key: string; value: Uint8Array | null; revision: number }) => void): Promise<Subscription>;
}

export class RevisionConflict extends Error {
  override name = "RevisionConflict";
}

/** The stream does not contain the start sequence: deleted, beyond the end, or of another epoch. */
export class StreamPositionLost extends Error {
  override name = "StreamPositionLost";
}

/** Largest message or value in bytes; NATS refuses more than 1 MiB including headers. */
export const maxMessageBytes = 1_000_000;

export class MessageTooLarge extends Error {
  override name = "MessageTooLarge";
}

/** The broker is unreachable or did not answer in time: the operation may or may not have happened. */
export class BrokerUnavailable extends Error {
  override name = "BrokerUnavailable";
}
