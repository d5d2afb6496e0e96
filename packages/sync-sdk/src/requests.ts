import { SyncError, toSyncError } from "./errors.ts";
import { type GamerequestsPollOutput, operations } from "./generated/types.ts";
import { doubtReason, type Journal, type RequestEnd } from "./journal.ts";
import { Reporter } from "./requests.report.ts";
import {
  checkedHandler,
  type GameRequestHandler,
  type GameRequestHandlerOptions,
  type GameRequestKind,
  type HandlerEntry,
  type Request,
  type Run,
  runHandler,
} from "./requests.run.ts";
import { closedError, Pauses, type RetryContext, SourcePauses } from "./retry.ts";
import type { Transport } from "./transport.ts";

/**
 * Requests from Rollcall to this game server. They are run one after the other, in their order, each at most once:
 * one during which the process dies is reported as unknown and is not run again.
 */
export interface RequestsClient {
  /** Sets the handler of a kind. Requests of a kind without one are refused. Throws `SyncError` for an unknown kind. */
  on<K extends GameRequestKind>(kind: K, handler: GameRequestHandler<K>, options?: GameRequestHandlerOptions): void;
  /** Begins to fetch requests, until the client is closed. Throws `SyncError` when `queueDir` is missing or cannot be used. */
  start(): Promise<void>;
}

const mostWaitSeconds = 25;
/** Of the limit of a call, what is left for the answer to arrive. */
const answerMs = 5000;

export interface RequestLoopOptions {
  readonly transport: Transport;
  readonly context: RetryContext;
  readonly source: string;
  /** Of one call. */
  readonly timeoutMs: number;
  readonly handlers: ReadonlyMap<string, HandlerEntry>;
}

/** Fetches requests, runs them and reports what became of them. */
export class RequestLoop {
  readonly #journal: Journal;
  readonly #options: RequestLoopOptions;
  readonly #waitSeconds: number;
  readonly #pauses: Pauses;
  readonly #taken: SourcePauses;
  readonly #reporter: Reporter;

  constructor(journal: Journal, options: RequestLoopOptions) {
    this.#journal = journal;
    this.#options = options;
    this.#pauses = new Pauses(options.context);
    this.#taken = new SourcePauses(options.context, options.source);
    this.#reporter = new Reporter(journal, { ...options, taken: this.#taken });
    this.#waitSeconds = Math.max(0, Math.min(mostWaitSeconds, Math.floor((options.timeoutMs - answerMs) / 1000)));
  }

  /** Resolves once the signal is aborted and no handler is waited for. */
  async run(): Promise<void> {
    await Promise.all([this.#fetch(), this.#reporter.run()]);
  }

  async #fetch(): Promise<void> {
    const { signal } = this.#options.context;
    while (!signal.aborted) {
      try {
        await this.#round();
        if (this.#pauses.reset()) this.#options.context.emit({ type: "requestsResumed" });
      } catch (thrown) {
        if (signal.aborted) return;
        const error = toSyncError(thrown);
        if (!(await this.#taken.refused(error))) await this.#pauses.failed(error);
      }
    }
  }

  async #round(): Promise<void> {
    const { context } = this.#options;
    const { requests, epoch, position } = await this.#poll();
    this.#taken.reset();
    const fetched = context.timing.now();
    for (const request of requests) {
      if (context.signal.aborted) return;
      await this.#handle(request, context.timing.now() - fetched);
      await this.#journal.moveTo({ epoch, position: request.position });
    }
    await this.#journal.moveTo({ epoch, position });
    if (requests.length === 0) await this.#journal.trust();
    if (requests.length === 0 && this.#waitSeconds === 0) await context.timing.sleep(1000, context.signal, true);
  }

  async #poll(): Promise<GamerequestsPollOutput> {
    const { transport, context, source } = this.#options;
    const { method, path } = operations["gamerequests.poll"];
    const wait = this.#journal.doubts ? 0 : this.#waitSeconds;
    const query = new URLSearchParams({ source, wait: String(wait) });
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
    const { id } = request;
    if (this.#journal.has(id)) {
      await this.#journal.reportAgain(id);
      this.#reporter.wake();
      return;
    }
    const { end, late } = await this.#run(request, waitedMs);
    void late?.then(async (ended) => await this.#endLate(request, ended));
    await this.#end(request, end);
  }

  async #end({ id, kind }: Request, end: RequestEnd): Promise<void> {
    this.#options.context.emit({ type: "request", id, kind, outcome: end.outcome, reason: end.reason ?? null });
    try {
      await this.#journal.end(id, end);
    } finally {
      this.#reporter.wake();
    }
  }

  /** Nobody waits for it any more: where its end cannot be written, it stays in memory until it is reported. */
  async #endLate(request: Request, end: RequestEnd): Promise<void> {
    if (!this.#options.context.signal.aborted) await this.#end(request, end).catch(() => undefined);
  }

  async #run(request: Request, waitedMs: number): Promise<Run> {
    const { handlers, context } = this.#options;
    const { id, kind, expiresInMs } = request;
    const refused = (reason: string): Run => ({ end: { outcome: "refused", reason }, late: null });
    const entry = handlers.get(kind);
    if (entry === undefined) return refused(`The plugin on the game server does not know ${kind}.`);
    if (this.#journal.doubts) return { end: { outcome: "unknown", reason: doubtReason }, late: null };
    if (waitedMs > expiresInMs) return refused("The game server came to it after its deadline.");
    await this.#journal.begin(id);
    return await runHandler(entry, request, context);
  }
}

export interface RequestsOptions extends Omit<RequestLoopOptions, "handlers"> {
  /** Opens the journal and takes its lock; throws `SyncError`. */
  open(): Promise<{ readonly journal: Journal; release(): void }>;
}

/** The part of the client that runs requests. */
export class Requests implements RequestsClient {
  readonly #options: RequestsOptions;
  readonly #handlers = new Map<string, HandlerEntry>();
  #started: Promise<() => Promise<void>> | null = null;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  on<K extends GameRequestKind>(kind: K, handler: GameRequestHandler<K>, options: GameRequestHandlerOptions = {}): void {
    this.#handlers.set(kind, checkedHandler(kind, handler, options));
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

  /** Once the signal is aborted: waits for a handler that runs, at most five seconds. */
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
