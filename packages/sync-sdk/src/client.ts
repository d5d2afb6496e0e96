import { randomBytes } from "node:crypto";
import { type CallsClient, createCalls } from "./calls.ts";
import { type ColleaguesClient, createColleagues } from "./colleagues.ts";
import { type Batch, createDelivery, type Delivery } from "./delivery.ts";
import { createDutyNaming, createSteadyClock, type DutyEvent } from "./duty.ts";
import { optionError, SyncError } from "./errors.ts";
import { describeEvent, type LogLevel, type SyncEvent } from "./events.ts";
import type {
  AccountsSyncBody,
  AccountsSyncTokenBody,
  AccountsSyncTokenOutput,
  BatchMethods,
  CitizensSyncBody,
  JobsSyncBody,
  LicencesSyncBody,
  SyncManifestOutput,
  SyncManifestParams,
  SyncStatusOutput,
  VehiclesSyncBody,
} from "./generated/types.ts";
import { operations } from "./generated/types.ts";
import { type BatchOperation, batchMethods } from "./operations.ts";
import { createPanic, type PanicClient } from "./panic.ts";
import { Positions, type PositionsClient } from "./positions.ts";
import { Pump } from "./pump.ts";
import { DiskQueue } from "./queue.ts";
import type { SendResult } from "./results.ts";
import { closedError, retryDefaults, withRetries, type RetryContext, type RetryOptions, type Timing } from "./retry.ts";
import { openRequestJournal } from "./requests.open.ts";
import { Requests, type RequestsClient } from "./requests.ts";
import { createTransport, type Transport } from "./transport.ts";

export type Job = JobsSyncBody["items"][number];
export type Licence = LicencesSyncBody["items"][number];
export type Account = AccountsSyncBody["items"][number];
export type User = CitizensSyncBody["items"][number];
export type Vehicle = VehiclesSyncBody["items"][number];
export type SyncStatus = SyncStatusOutput;
export type AccountToken = AccountsSyncTokenOutput;
export type AccountTokenKind = AccountsSyncTokenBody["kind"];
export type ManifestResult = SyncManifestOutput;
export type ManifestKind = SyncManifestParams["kind"];

export interface SyncClientOptions {
  /** Where Rollcall is, such as `https://rollcall.example.org`; the same with `/api/sync/v1` is accepted too. */
  readonly url: string;
  /** One of `sync.apiTokens`. */
  readonly token: string;
  /** Names this sender on the status page. */
  readonly source: string;
  /** A directory that only this client uses: what cannot be sent now waits there, also across restarts. */
  readonly queueDir?: string;
  /**
   * Names this run of the game server, for duty and positions: after a new one, people who are not named within five
   * minutes go off duty. Default: a new name for each client.
   */
  readonly boot?: string;
  /** How often positions are sent at most, up to 5 times a second; default 1. */
  readonly positionsPerSecond?: number;
  /** Size of the queue on disk; default 64 MiB. */
  readonly queueMaxBytes?: number;
  /** For one call; default 30 s. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  readonly onEvent?: (event: SyncEvent) => void;
  readonly log?: (level: LogLevel, message: string) => void;
}

/**
 * Of an item, fields that are left out (or undefined) keep their stored value, and null erases. Of an id
 * that is sent several times, also in one call, the last item wins field by field.
 *
 * Every send keeps the order in which it was called. Without `queueDir` it resolves once all items
 * were stored or rejected, and throws `SyncError` after the last attempt. With `queueDir` it also
 * resolves when the server cannot be reached and the items are safe on disk: see `queued`.
 */
export interface SyncClient extends Omit<BatchMethods<SendResult>, "duty"> {
  /**
   * Who goes on and off duty, drops, and comes back, in the order in which it happened. Sent like everything else, with
   * `queueDir` also when the server cannot be reached now. From the first call on the source shows that it is there.
   */
  duty(events: readonly DutyEvent[]): Promise<SendResult>;
  /** Where characters are: sent often, never stored. */
  readonly positions: PositionsClient;
  /** People in their jobs: what the game says of them, and who they are. */
  readonly colleagues: ColleaguesClient;
  /** Calls for help to jobs. */
  readonly calls: CallsClient;
  /** The panic button of people on duty. */
  readonly panic: PanicClient;
  /** A token to show to the player, who registers or sets another password with it. Never waits in the queue. */
  accountToken(licence: string, kind: AccountTokenKind): Promise<AccountToken>;
  /** Items or ids of any operation that sends a batch; the method named after what it sends is shorter, such as `users`. */
  send(operation: BatchOperation, items: readonly unknown[]): Promise<SendResult>;
  /**
   * Names all ids of a kind that exist; all others are deleted. Refused with `sync.manifestTooUncertain`
   * (its `params.missing` says how many) when that is more than a tenth, unless `confirm` states the
   * count. The queue is sent first; a manifest itself never waits in it.
   */
  manifest(kind: ManifestKind, ids: readonly string[], options?: { confirm?: number }): Promise<ManifestResult>;
  status(): Promise<SyncStatus>;
  /** Requests from Rollcall to this game server; needs `queueDir`. */
  readonly requests: RequestsClient;
  /** Resolves once everything that waits was sent. Throws `SyncError` when that fails. */
  flush(): Promise<void>;
  /**
   * Ends pauses and connections; what waits on disk stays there. Waits for the call that runs, and at most five seconds
   * for the handler of a request, which is then reported as unknown by the next client.
   */
  close(): Promise<void>;
}

/** The address of the Sync API itself is accepted too. */
const apiSuffix = /\/api\/sync\/v1\/*$/;

function checked(options: SyncClientOptions): URL {
  let url: URL;
  try {
    url = new URL(options.url);
  } catch {
    throw optionError(`url: ${JSON.stringify(options.url)} is not an address; write for example https://rollcall.example.org`);
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw optionError(`url: ${options.url} must begin with http:// or https://`);
  if (!/^[\x21-\x7e]+$/.test(options.token ?? "")) throw optionError("token: must be one of sync.apiTokens, without blanks");
  if (typeof options.source !== "string" || options.source.length < 1 || options.source.length > 64)
    throw optionError("source: must be a name of 1 to 64 characters");
  const { boot, positionsPerSecond: perSecond } = options;
  if (boot !== undefined && !/^[\x21-\x7e]{1,64}$/.test(boot))
    throw optionError("boot: must be a name of 1 to 64 printable characters, without blanks");
  if (perSecond !== undefined && !(perSecond > 0 && perSecond <= 5))
    throw optionError("positionsPerSecond: must be more than 0 and at most 5");
  for (const name of ["timeoutMs", "queueMaxBytes"] as const) {
    const value = options[name];
    if (value !== undefined && !(value > 0)) throw optionError(`${name}: must be more than 0`);
  }
  url.pathname = url.pathname.replace(apiSuffix, "/");
  return url;
}

function createEmit({ onEvent, log }: SyncClientOptions): (event: SyncEvent) => void {
  return (event) => {
    const { level, message } = describeEvent(event);
    try {
      log?.(level, message);
      onEvent?.(event);
    } catch {
      // A listener that throws must not stop the delivery.
    }
  };
}

interface Lane {
  send: Send;
  flush(): Promise<void>;
  close(): Promise<void>;
}

type Send = (batch: Batch) => Promise<SendResult>;

/** Sends without the queue, and says what the queue would say of it. */
async function sendDirectly(batch: Batch, delivery: Delivery, context: RetryContext): Promise<SendResult> {
  const result = await delivery.send({ ...batch, name: randomBytes(16).toString("hex") }, context);
  const { operation } = batch;
  if (result.rejected.length > 0) context.emit({ type: "rejected", operation, rejected: result.rejected });
  if (result.late !== undefined) context.emit({ type: "late", events: result.late });
  return result;
}

/** One call after the other, straight to the server. */
function directLane(send: Send): Lane {
  let last: Promise<unknown> = Promise.resolve();
  return {
    send(batch) {
      const run = last.then(() => send(batch));
      last = run.catch(() => undefined);
      return run;
    },
    flush: async () => void (await last),
    close: async () => void (await last),
  };
}

function queuedLane(opening: Promise<{ queue: DiskQueue; pump: Pump }>): Lane {
  // Reported by the first call that needs the queue.
  opening.catch(() => undefined);
  return {
    send: async (batch) => await (await opening).pump.send(batch),
    flush: async () => await (await opening).pump.flush(),
    async close() {
      const opened = await opening.catch(() => null);
      await opened?.pump.stop();
      await opened?.queue.close();
    },
  };
}

const defaultQueueBytes = 64 * 1024 * 1024;

async function openQueue(
  directory: string,
  maxBytes: number,
  delivery: Delivery,
  context: RetryContext,
): Promise<{ queue: DiskQueue; pump: Pump }> {
  try {
    const queue = await DiskQueue.open({ directory, maxBytes, emit: (event) => context.emit(event) });
    return { queue, pump: new Pump(queue, delivery, context) };
  } catch (error) {
    throw new SyncError(`queueDir: ${directory} cannot be used: ${(error as Error).message}`, {
      code: "queue.unavailable",
      cause: error,
    });
  }
}

/** What is sent about duty: events, each with a key of its own, and positions. */
function createDuty(options: SyncClientOptions, delivery: Delivery, transport: Transport, context: RetryContext) {
  const { source, boot = `${new Date(context.timing.date()).toISOString()}-${randomBytes(4).toString("hex")}` } = options;
  const clock = createSteadyClock(context.timing);
  const once = { ...context, retry: { ...context.retry, attempts: 1 } };
  const positions = new Positions({
    context,
    source,
    boot,
    clock,
    perSecond: options.positionsPerSecond ?? 1,
    limits: async () => await delivery.freshLimits(once),
    call: async (method, path, body) => await transport.call(method, path, body),
  });
  return { boot, positions, named: createDutyNaming(clock) };
}

/** @internal */
export function createClient(options: SyncClientOptions, timing: Timing): SyncClient {
  const url = checked(options);
  const timeoutMs = options.timeoutMs ?? 30_000;
  const transport = createTransport({ url, token: options.token, timeoutMs, timing });
  const delivery = createDelivery(transport);
  const closing = new AbortController();
  const retry = { ...retryDefaults, ...options.retry };
  const context: RetryContext = { retry, timing, signal: closing.signal, emit: createEmit(options) };
  const { source, queueDir, queueMaxBytes = defaultQueueBytes } = options;
  const { boot, positions, named } = createDuty(options, delivery, transport, context);

  const lane =
    queueDir === undefined
      ? directLane((batch) => sendDirectly(batch, delivery, context))
      : queuedLane(openQueue(queueDir, queueMaxBytes, delivery, context));

  const open = async () => await openRequestJournal(queueDir, timing, context.emit);
  const requests = new Requests({ transport, context, source, timeoutMs, open });

  async function send(operation: BatchOperation, items: readonly unknown[]): Promise<SendResult> {
    if (closing.signal.aborted) throw closedError();
    if (operation !== "duty.sync") return await lane.send({ operation, source, items });
    positions.start();
    return await lane.send({ operation, source, boot, items: named(items as readonly DutyEvent[]) });
  }

  const flush = async () => await lane.flush();

  return {
    ...batchMethods(send),
    colleagues: createColleagues({ transport, delivery, context, source, flush }),
    calls: createCalls({ transport, delivery, context, source, flush }),
    panic: createPanic({ transport, context, source }),
    async accountToken(licence, kind) {
      const { method, path } = operations["accounts.syncToken"];
      const body = JSON.stringify({ licence, kind });
      return (await withRetries(context, () => transport.call(method, path, body))) as AccountToken;
    },
    send,
    async manifest(kind, ids, { confirm } = {}) {
      await lane.flush();
      const { method, path } = operations["sync.manifest"];
      const body = JSON.stringify({ source, ids, ...(confirm !== undefined && { confirm }) });
      const key = randomBytes(16).toString("hex");
      const address = path.replace("{kind}", kind);
      return (await withRetries(context, () => transport.call(method, address, body, { key }))) as ManifestResult;
    },
    status: async () => await delivery.status(context),
    positions,
    requests,
    flush,
    async close() {
      closing.abort();
      await Promise.all([requests.stop(), positions.stop()]);
      await lane.close();
      transport.close();
    },
  };
}
