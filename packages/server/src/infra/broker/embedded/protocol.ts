import type { BucketContent, StreamDefinition, StreamInfo, StreamMessage } from "#core/ports/index.ts";

/** Requests from the main thread to the store; `now` is the clock port's time of the request. */
export interface StoreOperations {
  ensureStream(now: number, definition: StreamDefinition): void;
  dropStream(now: number, stream: string): void;
  append(now: number, subject: string, data: Uint8Array, id: string): { stream: string; seq: number; duplicate: boolean };
  streamInfo(now: number, stream: string): StreamInfo;
  read(now: number, stream: string, fromSeq: number, limit: number): { info: StreamInfo; messages: StreamMessage[] };

  /** Creates the durable consumer at `start` unless it exists; its unacknowledged messages are due again. */
  openDurable(now: number, stream: string, durable: string, start: "new" | "all" | { readonly seq: number }): void;
  /** Due redeliveries, then new messages; `due` is the instant of the next redelivery, null without one. */
  take(now: number, stream: string, durable: string, limit: number): { messages: StreamMessage[]; due: number | null };
  ack(now: number, stream: string, durable: string, seq: number): void;
  nak(now: number, stream: string, durable: string, seq: number, due: number): void;

  openBucket(now: number, bucket: string, ttlMs: number | null): void;
  get(now: number, bucket: string, key: string): { value: Uint8Array; revision: number } | null;
  /** `expected`: null always writes, 0 requires that the key is absent, else the key has to be at this revision. */
  put(now: number, bucket: string, key: string, value: Uint8Array, expected: number | null): number;
  /** The revision of the deletion, null when there was nothing to delete. */
  remove(now: number, bucket: string, key: string): number | null;
  entries(now: number, bucket: string): BucketContent;
  /** Deletes expired entries; `next` is when the next entry expires. */
  expire(now: number, bucket: string): { expired: Array<{ key: string; revision: number }>; next: number | null };

  /** Applies the streams' age and size limits and deletes message ids past their window. */
  sweep(now: number): void;
}

export type OperationName = keyof StoreOperations;
type Tail<T extends unknown[]> = T extends [unknown, ...infer R] ? R : never;
export type OperationArguments<N extends OperationName> = Tail<Parameters<StoreOperations[N]>>;
export type OperationResult<N extends OperationName> = ReturnType<StoreOperations[N]>;

export interface Request {
  readonly name: OperationName;
  readonly now: number;
  readonly args: readonly unknown[];
}

/** `refused` errors are caused by the request; `failed` ones by the store, and affect the whole batch. */
export type Reply =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly kind: "refused" | "failed";
      readonly error: "conflict" | "position" | "other";
      readonly message: string;
    };

export interface StoreSettings {
  readonly file: string;
  readonly pid: number;
  /** Milliseconds UTC at start. */
  readonly now: number;
}

export type FromWorker =
  | { readonly kind: "ready" }
  | { readonly kind: "unusable"; readonly message: string }
  | { readonly kind: "replies"; readonly replies: readonly Reply[] };
