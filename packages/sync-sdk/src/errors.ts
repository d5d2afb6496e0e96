import type { SendResult } from "./results.ts";

export interface SyncErrorDetails {
  /** HTTP status; null when no answer came. */
  readonly status?: number | null;
  /** The server's error code, or one of this client: see `SyncError.code`. */
  readonly code: string;
  /** Names the failed call in the server's log. */
  readonly traceId?: string | null;
  readonly params?: Readonly<Record<string, string | number>>;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** A call that failed. */
export class SyncError extends Error {
  override readonly name = "SyncError";
  /** HTTP status; null when no answer came. */
  readonly status: number | null;
  /**
   * The server's code, such as `sync.disabled`, or one of the client: `client.network`,
   * `client.timeout`, `client.answer` (not an answer of the Sync API), `client.closed`,
   * `client.option`, `queue.full`, `queue.unavailable`.
   */
  readonly code: string;
  /** Names the failed call in the server's log; null when there was none. */
  readonly traceId: string | null;
  readonly params: Readonly<Record<string, string | number>>;
  readonly retryAfterMs: number | null;
  /** The items are on disk and will be sent once the cause is gone. */
  queued = false;
  /** What was stored before the failure, when a send was split into several calls. */
  partial: SendResult | null = null;

  constructor(message: string, details: SyncErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status ?? null;
    this.code = details.code;
    this.traceId = details.traceId ?? null;
    this.params = details.params ?? {};
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

export function optionError(message: string): SyncError {
  return new SyncError(message, { code: "client.option" });
}

const transient = new Set([429, 502, 503, 504]);

/** A call with the same idempotency key still runs, for example one whose connection broke. */
const keyRunning = "system.idempotencyKeyRunning";

/** The same call may succeed later: no answer came, or the server says so. */
export function isTransient(error: SyncError): boolean {
  if (error.code === keyRunning) return true;
  return error.status === null ? error.code === "client.network" || error.code === "client.timeout" : transient.has(error.status);
}

/** Another sync token serves this game server: only an operator can change that. */
export function isSourceTaken(error: SyncError): boolean {
  return error.code === "gamerequests.sourceTaken";
}

const aboutTheItems = new Set([400, 413, 415, 422]);

/**
 * Rollcall itself says that the call can never succeed as it is. An operator can fix anything else, such
 * as a wrong token or a web server that is not Rollcall.
 */
export function isPermanent(error: SyncError): boolean {
  return error.status !== null && aboutTheItems.has(error.status) && error.code !== "client.answer";
}

/** Rollcall failed at this call, which says nothing about others. */
export function isServerFault(error: SyncError): boolean {
  return error.status !== null && error.status >= 500 && !isTransient(error);
}

export function toSyncError(thrown: unknown): SyncError {
  if (thrown instanceof SyncError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new SyncError(message, { code: "client.network", cause: thrown });
}
