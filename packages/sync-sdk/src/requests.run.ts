import { optionError } from "./errors.ts";
import { type GameRequests, type GamerequestsPollOutput, gameRequestKinds } from "./generated/types.ts";
import type { RequestEnd } from "./journal.ts";
import type { RetryContext } from "./retry.ts";

export type GameRequestKind = keyof GameRequests;
export type GameRequestPayload<K extends GameRequestKind> = GameRequests[K]["payload"];
export type GameRequestAnswer<K extends GameRequestKind> = GameRequests[K]["answer"];

/** What a handler knows of its request besides the payload. */
export interface GameRequestCall {
  readonly id: string;
  /** Aborted when the limit of the handler is reached, and when the client is closed. */
  readonly signal: AbortSignal;
  /** When it was sent. Milliseconds UTC, by Rollcall's clock. */
  readonly sentAt: number;
}

/**
 * Runs one request. What it returns is the answer; nothing stands for an answer without members. When it throws,
 * the request is refused, and people see the message of the error.
 */
export type GameRequestHandler<K extends GameRequestKind> = (
  payload: GameRequestPayload<K>,
  call: GameRequestCall,
) => Promise<GameRequestAnswer<K> | void> | GameRequestAnswer<K> | void;

export interface GameRequestHandlerOptions {
  /**
   * How long the handler may take; default 60 s. Then the request is reported as unknown and the next one is run,
   * also while this handler goes on. What it returns or throws later replaces the report. Milliseconds.
   */
  readonly timeoutMs?: number;
}

export type Request = GamerequestsPollOutput["requests"][number];
export type AnyHandler = (payload: unknown, call: GameRequestCall) => unknown;

/** A handler as it was set. */
export interface HandlerEntry {
  readonly handler: AnyHandler;
  readonly timeoutMs: number;
}

export interface Run {
  readonly end: RequestEnd;
  /** How it ends in truth, when nobody waits for the handler any more; never rejects. */
  readonly late: Promise<RequestEnd> | null;
}

const defaultTimeoutMs = 60_000;
/** The longest that a timer accepts. Milliseconds. */
const mostTimeoutMs = 2 ** 31 - 1;
/** How long a closed client waits for a handler that runs. Milliseconds. */
export const closeGraceMs = 5000;
const mostReason = 500;
const mostAnswer = 16 * 1024;

/** Throws `SyncError` for a kind that Rollcall never sends, and for what cannot be called. */
export function checkedHandler(
  kind: unknown,
  handler: unknown,
  { timeoutMs = defaultTimeoutMs }: GameRequestHandlerOptions,
): HandlerEntry {
  if (!(gameRequestKinds as readonly unknown[]).includes(kind))
    throw optionError(`requests.on: ${String(kind)} is no kind of request; known are ${gameRequestKinds.join(", ")}`);
  if (typeof handler !== "function") throw optionError(`requests.on: the handler of ${String(kind)} must be a function`);
  if (typeof timeoutMs !== "number" || !(timeoutMs > 0 && timeoutMs <= mostTimeoutMs))
    throw optionError(`requests.on: timeoutMs of ${String(kind)} must be more than 0 and at most ${mostTimeoutMs} ms`);
  return { handler: handler as AnyHandler, timeoutMs };
}

/** Runs the handler of a request. Resolves at the latest when its limit is reached, or soon after the client was closed. */
export function runHandler(
  { handler, timeoutMs }: HandlerEntry,
  { id, payload, sentAt }: Request,
  { timing, signal }: Pick<RetryContext, "timing" | "signal">,
): Promise<Run> {
  const stop = new AbortController();
  const settled = (async () => await handler(payload, { id, sentAt, signal: stop.signal }))().then(answerOf, refusalOf);
  return new Promise((resolve) => {
    const cancelLimit = timing.after(timeoutMs, () => giveUp(`The plugin did not finish it within ${timeoutMs / 1000} s.`));
    let cancelGrace = () => undefined as void;
    const finish = (run: Run) => {
      cancelLimit();
      cancelGrace();
      signal.removeEventListener("abort", closing);
      resolve(run);
    };
    const giveUp = (reason: string) => {
      stop.abort();
      finish({ end: { outcome: "unknown", reason }, late: settled });
    };
    const closing = () => {
      stop.abort();
      cancelGrace = timing.after(closeGraceMs, () => giveUp("The plugin was stopped while it ran this."));
    };
    signal.addEventListener("abort", closing);
    if (signal.aborted) closing();
    void settled.then((end) => finish({ end, late: null }));
  });
}

/** An answer that cannot be written as JSON is one that does not fit. */
function jsonOf(returned: object): string | null {
  try {
    return JSON.stringify(returned);
  } catch {
    return null;
  }
}

function answerOf(returned: unknown): RequestEnd {
  if (returned === undefined || returned === null) return { outcome: "done", answer: {} };
  const json = typeof returned === "object" && !Array.isArray(returned) ? jsonOf(returned) : null;
  if (json !== null && json.length <= mostAnswer) return { outcome: "done", answer: JSON.parse(json) as Record<string, unknown> };
  return { outcome: "unknown", reason: `It ran, but its answer is not an object of at most ${mostAnswer} characters.` };
}

function refusalOf(thrown: unknown): RequestEnd {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const reason = Array.from(message || "The plugin gave no reason.")
    .slice(0, mostReason)
    .join("");
  return { outcome: "refused", reason };
}
