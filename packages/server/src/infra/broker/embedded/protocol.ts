import type { StreamDefinition, StreamInfo, StreamMessage } from "#core/ports/index.ts";

/** What the main thread asks of the store; `now` is the clock port's time of asking. */
export interface StoreOperations {
  ensureStream(now: number, definition: StreamDefinition): void;
  dropStream(now: number, stream: string): void;
  append(now: number, subject: string, data: Uint8Array, id: string): { stream: string; seq: number; duplicate: boolean };
  streamInfo(now: number, stream: string): StreamInfo;
  read(now: number, stream: string, fromSeq: number, limit: number): { info: StreamInfo; messages: StreamMessage[] };

  /** Creates the durable consumer at `after` unless it exists; what it had in flight is due again. */
  openDurable(now: number, stream: string, durable: string, start: "new" | "all" | { readonly seq: number }): void;
  /** Due redeliveries, then new messages; `due` is when the next redelivery is, null when none waits. */
  take(now: number, stream: string, durable: string, limit: number): { messages: StreamMessage[]; due: number | null };
  ack(now: number, stream: string, durable: string, seq: number): void;
  nak(now: number, stream: string, durable: string, seq: number, due: number): void;

  openBucket(now: number, bucket: string, ttlMs: number | null): void;
  get(now: number, bucket: string, key: string): { value: Uint8Array; revision: number } | null;
  /** `expected`: null writes anyway, 0 wants the key absent, else the key at this revision. */
  put(now: number, bucket: string, key: string, value: Uint8Array, expected: number | null): number;
  /** The revision of the deletion, null when there was nothing to delete. */
  remove(now: number, bucket: string, key: string): number | null;
  entries(now: number, bucket: string): Array<{ key: string; value: Uint8Array; revision: number }>;
  /** Removes what ran out; `next` is when the next entry does. */
  expire(now: number, bucket: string): { gone: Array<{ key: string; revision: number }>; next: number | null };

  /** Applies the streams' age and size limits and forgets message ids past their window. */
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

/** `refused` errors are the caller's; `failed` ones are the store's and hit the whole batch. */
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
