import type { SyncError } from "./errors.ts";
import type { BatchOperation } from "./operations.ts";
import type { RejectedItem } from "./results.ts";

/** What happens besides the results of calls. */
export type SyncEvent =
  /** A call failed and is retried after `delayMs`. */
  | { readonly type: "retry"; readonly attempt: number; readonly delayMs: number; readonly error: SyncError }
  /** Items of the queue were stored. */
  | {
      readonly type: "delivered";
      readonly operation: BatchOperation;
      readonly items: number;
      readonly accepted: number;
      readonly unchanged: number;
      readonly waiting: number;
    }
  /** The server rejected single items; they are not sent again. */
  | {
      readonly type: "rejected";
      readonly operation: BatchOperation | "colleagues.sync" | "colleagues.syncActivities";
      readonly rejected: readonly RejectedItem[];
    }
  /** Events of duty were stored, but something newer was known already. */
  | { readonly type: "late"; readonly events: number }
  /** Requests are fetched again after failures. */
  | { readonly type: "requestsResumed" }
  /** Nothing can be written to the queue, such as on a full disk: calls are sent without it. Once until it can. */
  | { readonly type: "queueUnavailable"; readonly error: SyncError }
  /** The server cannot be reached; `waiting` items stay on disk. */
  | { readonly type: "offline"; readonly waiting: number; readonly error: SyncError }
  /** The server answers again. */
  | { readonly type: "online" }
  /** The server answers, but refuses for a reason that an operator has to fix, such as the token. */
  | { readonly type: "blocked"; readonly waiting: number; readonly error: SyncError }
  /** Items of the queue can never be stored and were dropped. */
  | {
      readonly type: "dropped";
      readonly operation: BatchOperation;
      readonly items: readonly unknown[];
      readonly error: SyncError;
    }
  /** The queue is full; the items of this call were not accepted. Once until items are accepted again. */
  | { readonly type: "queueFull"; readonly bytes: number; readonly maxBytes: number }
  /** Items whose fields a later item of the same id sends again were dropped. */
  | { readonly type: "compacted"; readonly bytesBefore: number; readonly bytesAfter: number }
  /** A request of Rollcall was run, or refused because nothing handles it. */
  | {
      readonly type: "request";
      readonly id: string;
      readonly kind: string;
      readonly outcome: "done" | "refused" | "unknown";
      readonly reason: string | null;
    }
  /** Another sync token serves this game server, so its requests are not fetched. Once until a fetch succeeds. */
  | { readonly type: "sourceTaken"; readonly source: string; readonly delayMs: number; readonly error: SyncError }
  /** Rollcall refuses a receipt; what it says is lost. */
  | { readonly type: "receiptDropped"; readonly id: string; readonly error: SyncError }
  /** Places cannot be sent now. Once until they can again; what changes meanwhile is not kept. */
  | { readonly type: "positionsPaused"; readonly delayMs: number; readonly error: SyncError }
  /** Places are sent again, beginning with so many that are known. */
  | { readonly type: "positionsResumed"; readonly places: number }
  /** The server rejected places of these characters. Once for each until it takes one. */
  | { readonly type: "positionsRejected"; readonly rejected: readonly RejectedItem[] }
  /** Lines of the queue's files could not be read and were skipped. Of those of requests: what was open then is reported as unknown. */
  | { readonly type: "damaged"; readonly file: string; readonly lines: number };

export type LogLevel = "debug" | "info" | "warn" | "error";

type Line = { level: LogLevel; message: string };

function describePositions(event: Extract<SyncEvent, { type: `positions${string}` }>): Line {
  switch (event.type) {
    case "positionsPaused":
      return { level: "warn", message: `${event.error.message}; positions are sent again once that is over` };
    case "positionsResumed":
      return { level: "info", message: `positions are sent again, ${event.places} at first` };
    case "positionsRejected":
      return {
        level: "warn",
        message: `${event.rejected.length} positions rejected, the first: ${event.rejected[0]?.id ?? "?"} ${event.rejected[0]?.message ?? ""}`,
      };
  }
}

/** The log line of an event. */
export function describeEvent(event: SyncEvent): Line {
  switch (event.type) {
    case "positionsPaused":
    case "positionsResumed":
    case "positionsRejected":
      return describePositions(event);
    case "retry":
      return {
        level: "warn",
        message: `${event.error.message}; attempt ${event.attempt + 1} in ${Math.round(event.delayMs)} ms`,
      };
    case "delivered":
      return {
        level: "debug",
        message: `${event.operation}: ${event.items} items sent, ${event.accepted} stored, ${event.waiting} waiting`,
      };
    case "rejected":
      return {
        level: event.operation === "duty.sync" ? "error" : "warn",
        message: `${event.operation}: ${event.rejected.length} items rejected${event.operation === "duty.sync" ? " and lost" : ""}, the first: ${event.rejected[0]?.id ?? "?"} ${event.rejected[0]?.message ?? ""}`,
      };
    case "late":
      return {
        level: "warn",
        message: `${event.events} events of duty came too late to have an effect; if that goes on, check the clock of this machine`,
      };
    case "requestsResumed":
      return { level: "info", message: "requests are fetched again" };
    case "queueUnavailable":
      return {
        level: "error",
        message: `${event.error.message}; until that is fixed, calls are sent without the queue, and what cannot be sent at once is lost`,
      };
    case "offline":
      return { level: "warn", message: `${event.error.message}; ${event.waiting} items wait on disk` };
    case "online":
      return { level: "info", message: "the server answers again" };
    case "blocked":
      return {
        level: "error",
        message: `${event.error.message}; ${event.waiting} items wait on disk until that is fixed`,
      };
    case "dropped":
      return {
        level: "error",
        message: `${event.operation}: ${event.items.length} items dropped: ${event.error.message}`,
      };
    case "queueFull":
      return {
        level: "error",
        message: `the queue holds ${event.bytes} of ${event.maxBytes} bytes and accepts nothing more`,
      };
    case "compacted":
      return {
        level: "info",
        message: `the queue shrank from ${event.bytesBefore} to ${event.bytesAfter} bytes`,
      };
    case "request":
      return {
        level: event.outcome === "done" ? "debug" : "warn",
        message: `request ${event.kind} (${event.id}): ${event.outcome}${event.reason === null ? "" : `: ${event.reason}`}`,
      };
    case "sourceTaken":
      return {
        level: "error",
        message:
          `requests to ${event.source} are not fetched, because another sync token serves it: give each game server a ` +
          "source of its own. If the token was replaced, stop the client that uses the old one for a minute. " +
          `Tried again every ${Math.round(event.delayMs / 1000)} s`,
      };
    case "receiptDropped":
      return { level: "error", message: `the receipt of ${event.id} was dropped: ${event.error.message}` };
    case "damaged":
      return { level: "error", message: `${event.file}: ${event.lines} damaged lines skipped` };
  }
}
