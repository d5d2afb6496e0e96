import { isPermanent, isServerFault, SyncError, toSyncError } from "./errors.ts";
import type { SyncEvent } from "./events.ts";
import { type GameRequests, type GamerequestsPollOutput, type GamerequestsReceiptsBody, operations } from "./generated/types.ts";
import type { Journal, Receipt, RequestEnd } from "./journal.ts";
import { backOff, closedError, type RetryContext } from "./retry.ts";
import type { Transport } from "./transport.ts";

export type GameRequestKind = keyof GameRequests;
export type GameRequestPayload<K extends GameRequestKind> = GameRequests[K]["payload"];
export type GameRequestAnswer<K extends GameRequestKind> = GameRequests[K]["answer"];

/** What a handler knows of its request besides the payload. */
export interface GameRequestCall {
  readonly id: string;
  /** Aborted when the client is closed: a handler that goes on is waited for. */
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

/**
 * Requests from Rollcall to this game server. They are run one after the other, in their order, each at most once:
 * one during which the process dies is reported as unknown and is not run again.
 */
export interface RequestsClient {
  /** Sets the handler of a kind. Requests of a kind without one are refused. */
  on<K extends GameRequestKind>(kind: K, handler: GameRequestHandler<K>): void;
  /** Begins to fetch requests, until the client is closed. Throws `SyncError` when `queueDir` is missing or cannot be used. */
  start(): Promise<void>;
}

type Request = GamerequestsPollOutput["requests"][number];
type AnyHandler = (payload: unknown, call: GameRequestCall) => unknown;

const mostWaitSeconds = 25;
/** Of the limit of a call, what is left for the answer to arrive. */
const answerMs = 5000;
const receiptsAtOnce = operations["gamerequests.receipts"].maxItems;
const mostReason = 500;
const mostAnswer = 16 * 1024;

const cutReason = (text: string) => Array.from(text).slice(0, mostReason).join("");

export interface RequestLoopOptions {
  readonly transport: Transport;
  readonly context: RetryContext;
  readonly source: string;
  /** Of one call. */
  readonly timeoutMs: number;
  readonly handlers: ReadonlyMap<string, AnyHandler>;
}

function answerOf(returned: unknown): RequestEnd {
  if (returned === undefined || returned === null) return { outcome: "done", answer: {} };
  const isObject = typeof returned === "object" && !Array.isArray(returned);
  const json = isObject ? JSON.stringify(returned) : "";
  if (isObject && json.length <= mostAnswer) return { outcome: "done", answer: JSON.parse(json) as Record<string, unknown> };
  return { outcome: "unknown", reason: `It ran, but its answer is not an object of at most ${mostAnswer} characters.` };
}

/** Fetches requests, runs them and reports what became of them. */
export class RequestLoop {
  readonly #journal: Journal;
  readonly #options: RequestLoopOptions;
  readonly #waitSeconds: number;
  #failures = 0;
  /** Receipts at which Rollcall failed, and when each is sent again, by the monotonic clock. */
  readonly #stuck = new Map<string, { readonly failures: number; readonly again: number }>();

  constructor(journal: Journal, options: RequestLoopOptions) {
    this.#journal = journal;
    this.#options = options;
    this.#waitSeconds = Math.max(0, Math.min(mostWaitSeconds, Math.floor((options.timeoutMs - answerMs) / 1000)));
  }

  /** Resolves once the signal is aborted and no handler runs any more. */
  async run(): Promise<void> {
    const { context } = this.#options;
    while (!context.signal.aborted) {
      try {
        await this.#report();
        await this.#round();
        this.#failures = 0;
      } catch (thrown) {
        if (context.signal.aborted) return;
        await this.#failed(toSyncError(thrown));
      }
    }
  }

  async #round(): Promise<void> {
    const { context } = this.#options;
    const { requests, epoch, position } = await this.#poll();
    const fetched = context.timing.now();
    for (const request of requests) {
      if (context.signal.aborted) return;
      await this.#handle(request, context.timing.now() - fetched);
      await this.#journal.moveTo({ epoch, position: request.position });
      await this.#report();
    }
    await this.#journal.moveTo({ epoch, position });
    if (requests.length === 0 && this.#waitSeconds === 0) await context.timing.sleep(1000, context.signal, true);
  }

  async #poll(): Promise<GamerequestsPollOutput> {
    const { transport, context, source } = this.#options;
    const { method, path } = operations["gamerequests.poll"];
    const query = new URLSearchParams({ source, wait: String(this.#waitSeconds) });
    const known = this.#journal.position;
    if (known !== null) {
      query.set("epoch", known.epoch);
      query.set("after", String(known.position));
    }
    const answer = await transport.call(method, `${path}?${query.toString()}`, null, { signal: context.signal });
    const polled = answer as GamerequestsPollOutput;
    if (!Array.isArray(polled.requests))
      throw new SyncError("the answer has no requests: is this the address of Rollcall?", { status: 200, code: "client.answer" });
    return polled;
  }

  async #handle(request: Request, waitedMs: number): Promise<void> {
    const { id, kind } = request;
    if (this.#journal.has(id)) {
      this.#journal.reportAgain(id);
      return;
    }
    const end = await this.#run(request, waitedMs);
    this.#emit({ type: "request", id, kind, outcome: end.outcome, reason: end.reason ?? null });
    await this.#journal.end(id, end);
  }

  async #run({ id, kind, payload, sentAt, expiresInMs }: Request, waitedMs: number): Promise<RequestEnd> {
    const handler = this.#options.handlers.get(kind);
    if (handler === undefined) return { outcome: "refused", reason: `The plugin on the game server does not know ${kind}.` };
    if (waitedMs > expiresInMs) return { outcome: "refused", reason: "The game server came to it after its deadline." };
    await this.#journal.begin(id);
    try {
      return answerOf(await handler(payload, { id, sentAt, signal: this.#options.context.signal }));
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      return { outcome: "refused", reason: cutReason(message || "The plugin gave no reason.") };
    }
  }

  async #report(): Promise<void> {
    const { context } = this.#options;
    const began = context.timing.now();
    for (;;) {
      const receipts = this.#journal.receipts(receiptsAtOnce, (id) => (this.#stuck.get(id)?.again ?? began) > began);
      if (receipts.length === 0 || context.signal.aborted) return;
      await this.#send(receipts);
    }
  }

  /** One that Rollcall cannot accept, now or ever, must not keep the others waiting, nor the requests that come. */
  async #send(receipts: readonly Receipt[]): Promise<void> {
    const { transport, source, context } = this.#options;
    const { method, path } = operations["gamerequests.receipts"];
    const body: GamerequestsReceiptsBody = { source, receipts: [...receipts] };
    try {
      await transport.call(method, path, JSON.stringify(body), { signal: context.signal });
    } catch (thrown) {
      const error = toSyncError(thrown);
      if (!isPermanent(error) && !isServerFault(error)) throw error;
      if (receipts.length > 1) {
        for (const one of receipts) await this.#send([one]);
        return;
      }
      const [only] = receipts;
      if (only && isServerFault(error)) return this.#putBack(only.id, error);
      if (only) this.#emit({ type: "receiptDropped", id: only.id, error });
    }
    await this.#journal.acknowledge(receipts.map(({ id }) => id));
    for (const { id } of receipts) this.#stuck.delete(id);
  }

  #putBack(id: string, error: SyncError): void {
    const { context } = this.#options;
    const attempt = (this.#stuck.get(id)?.failures ?? 0) + 1;
    const delayMs = Math.max(1, backOff(attempt, error, context.retry, context.timing));
    this.#stuck.set(id, { failures: attempt, again: context.timing.now() + delayMs });
    this.#emit({ type: "retry", attempt, delayMs, error });
  }

  async #failed(error: SyncError): Promise<void> {
    const { context } = this.#options;
    this.#failures += 1;
    const delayMs = backOff(this.#failures, error, context.retry, context.timing);
    this.#emit({ type: "retry", attempt: this.#failures, delayMs, error });
    await context.timing.sleep(delayMs, context.signal, true);
  }

  #emit(event: SyncEvent): void {
    this.#options.context.emit(event);
  }
}

export interface RequestsOptions extends Omit<RequestLoopOptions, "handlers"> {
  /** Opens the journal and takes its lock; throws `SyncError`. */
  open(): Promise<{ readonly journal: Journal; release(): void }>;
}

/** The part of the client that runs requests. */
export class Requests implements RequestsClient {
  readonly #options: RequestsOptions;
  readonly #handlers = new Map<string, AnyHandler>();
  #started: Promise<() => Promise<void>> | null = null;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  on<K extends GameRequestKind>(kind: K, handler: GameRequestHandler<K>): void {
    this.#handlers.set(kind, handler as AnyHandler);
  }

  async start(): Promise<void> {
    if (this.#options.context.signal.aborted) throw closedError();
    this.#started ??= this.#start();
    try {
      await this.#started;
    } catch (error) {
      this.#started = null;
      throw error;
    }
  }

  /** Once the signal is aborted: waits for a handler that runs. */
  async stop(): Promise<void> {
    const end = await this.#started?.catch(() => null);
    await end?.();
  }

  async #start(): Promise<() => Promise<void>> {
    const { journal, release } = await this.#options.open();
    const running = new RequestLoop(journal, { ...this.#options, handlers: this.#handlers }).run();
    return async () => {
      await running;
      await journal.close();
      release();
    };
  }
}
