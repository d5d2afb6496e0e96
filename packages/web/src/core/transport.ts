import {
  positionHeader,
  type InputOf,
  type OperationDefinition,
  type OutputOf,
  type Position,
} from "@rollcall/server/contract/core";
import type { Clock } from "#core/clock.ts";
import { Problem, problemOf } from "#core/problem.ts";
import { parsePosition } from "#core/realtime/position.ts";

type Given<I> = { [K in keyof I as I[K] extends undefined ? never : K]: I[K] };
type Needed<I> = { [K in keyof I as object extends I[K] ? never : K]: I[K] } & {
  [K in keyof I as object extends I[K] ? K : never]?: I[K];
};

/** Input of a call: only the parts that the operation declares, optional where all their fields are optional. */
export type CallInput<D extends OperationDefinition> = Needed<Given<InputOf<D>>>;

/** The input may be left out when nothing in it is required. */
export type CallArguments<D extends OperationDefinition> =
  object extends CallInput<D> ? [input?: CallInput<D>, options?: CallOptions] : [input: CallInput<D>, options?: CallOptions];

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The call goes on when the page ends. */
  readonly keepalive?: boolean;
  /** Called before the call resolves, with the position in the stream of events up to which the answer holds all changes. */
  readonly onPosition?: (position: Position | null) => void;
}

/** The part of `fetch` that the transport uses, with the operation that is called. */
export type Fetch = (
  url: string,
  init: RequestInit,
  operation: Pick<OperationDefinition, "method" | "path">,
) => Promise<Response>;

/** A user token, or the secret of a link. */
export interface Credentials {
  readonly token?: string | null;
  readonly link?: string;
}

export interface Transport {
  send<D extends OperationDefinition>(
    operation: D,
    input: CallInput<D>,
    options?: CallOptions & Credentials,
  ): Promise<OutputOf<D>>;
  /** The server's time, estimated from its responses. Milliseconds. */
  serverNow(): number;
  /** Calls back with each answer of the server, also a refusal; the returned function ends that. */
  onAnswer(listener: () => void): () => void;
}

/** A connection that answers nothing for this long counts as lost. Milliseconds. */
const TIMEOUT = 20_000;
/** What a proxy answers for a server that does not. */
const OF_PROXY: ReadonlySet<number> = new Set([502, 503, 504]);

type Parts = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

export function urlOf(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") search.append(name, String(value));
  }
  const text = search.toString();
  return text === "" ? filled : `${filled}?${text}`;
}

function requestOf(operation: OperationDefinition, parts: Parts, options: Credentials & CallOptions): RequestInit {
  const { token, link, keepalive } = options;
  const headers: Record<string, string> = { accept: "application/json, application/problem+json" };
  if (operation.method !== "GET") headers["x-rollcall"] = "1";
  if (token) headers["authorization"] = `Bearer ${token}`;
  if (link !== undefined) headers["authorization"] = `Link ${link}`;
  const common = { method: operation.method, headers, credentials: "same-origin" as const, ...(keepalive ? { keepalive } : {}) };
  if (parts.body === undefined) return common;
  headers["content-type"] = "application/json";
  return { ...common, body: JSON.stringify(parts.body) };
}

/** `prepare` is called with the problem of an answer before the call rejects with it. */
export function createTransport(
  fetch: Fetch,
  clock: Clock,
  prepare: (problem: Problem) => Promise<Problem> = async (problem) => problem,
): Transport {
  let skew = 0;
  const listeners = new Set<() => void>();

  const readClock = (response: Response) => {
    const date = Date.parse(response.headers.get("date") ?? "");
    if (!Number.isNaN(date)) skew = date - clock.now();
  };

  return {
    serverNow: () => clock.now() + skew,
    onAnswer(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async send(operation, input, options = {}) {
      const parts = input as Parts;
      const response = await withTimeout(clock, options.signal, (signal) =>
        fetch(urlOf(operation.path, parts), { ...requestOf(operation, parts, options), signal }, operation),
      );
      readClock(response);
      if (!OF_PROXY.has(response.status)) listeners.forEach((listener) => listener());
      if (response.ok) options.onPosition?.(parsePosition(response.headers.get(positionHeader)));
      if (response.ok && response.headers.has("content-disposition")) return (await response.blob()) as never;
      if (response.ok) return (response.status === 204 ? undefined : await read(response)) as never;
      throw await prepare(problemOf(response.status, await read(response).catch(() => null), response.headers.get("x-trace-id")));
    },
  };
}

async function read(response: Response): Promise<unknown> {
  try {
    return (await response.json()) as unknown;
  } catch (cause) {
    throw new Problem("web.unreadable", response.status, {}, cause);
  }
}

async function withTimeout(
  clock: Clock,
  outer: AbortSignal | undefined,
  action: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  outer?.addEventListener("abort", abort, { once: true });
  let late = false;
  const cancel = clock.after(TIMEOUT, () => {
    late = true;
    controller.abort();
  });
  try {
    outer?.throwIfAborted();
    return await action(controller.signal);
  } catch (cause) {
    if (outer?.aborted) throw cause;
    throw new Problem(late ? "web.timeout" : "web.offline", 0, {}, cause);
  } finally {
    cancel();
    outer?.removeEventListener("abort", abort);
  }
}
