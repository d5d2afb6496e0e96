import http from "node:http";
import https from "node:https";
import { SyncError } from "./errors.ts";
import { closedError, type Timing } from "./retry.ts";
import { sdkVersion } from "./version.ts";

export interface TransportOptions {
  readonly url: URL;
  readonly token: string;
  /** For one call, from its start to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly timing: Pick<Timing, "after">;
}

export interface Transport {
  /** One call; resolves with the parsed answer, throws `SyncError`. */
  call(method: string, path: string, body: string | null, more?: CallOptions): Promise<unknown>;
  close(): void;
}

export interface CallOptions {
  /** Idempotency key: a repeated call with it has no second effect. */
  readonly key?: string;
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** The Sync API gives no larger answer. */
const mostAnswerBytes = 64 * 1024 * 1024;

export function createTransport({ url, token, timeoutMs, timing }: TransportOptions): Transport {
  const library = url.protocol === "https:" ? https : http;
  const agent = new library.Agent({ keepAlive: true, maxSockets: 4 });
  const base = url.pathname.replace(/\/+$/, "");
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    "user-agent": `rollcall-sync-sdk/${sdkVersion} node/${process.versions.node}`,
  };

  function once(method: string, path: string, body: Buffer | null, more: CallOptions): Promise<Answer> {
    const { key, signal } = more;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(closedError());
      const named = key === undefined ? headers : { ...headers, "idempotency-key": key };
      const sent = body === null ? named : { ...named, "content-type": "application/json", "content-length": body.length };
      const options = {
        method,
        agent,
        headers: sent,
        hostname: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port,
        path: base + path,
      };
      const request = library.request(options, (response) => collect(response).then(resolve, fail));
      const cancelTimer = timing.after(timeoutMs, () => request.destroy(timedOut()));
      const abort = () => void request.destroy(closedError());
      signal?.addEventListener("abort", abort);
      const stopTimer = () => {
        cancelTimer();
        signal?.removeEventListener("abort", abort);
      };
      const fail = (error: Error) => {
        stopTimer();
        const { code } = error as { code?: string };
        // The server closed a kept-alive connection just as it was reused: nothing was processed.
        if (code === "ECONNRESET" && request.reusedSocket) return resolve(once(method, path, body, more));
        reject(
          error instanceof SyncError
            ? error
            : new SyncError(`${url.origin} cannot be reached: ${reason(error)}`, {
                code: "client.network",
                cause: error,
              }),
        );
      };
      const timedOut = () =>
        new SyncError(`${url.origin} gave no answer to ${path} within ${timeoutMs} ms`, {
          code: "client.timeout",
        });
      request.on("error", fail);
      request.on("close", stopTimer);
      request.end(body ?? undefined);
    });
  }

  return {
    async call(method, path, body, more = {}) {
      const answer = await once(method, path, body === null ? null : Buffer.from(body), more);
      return read(answer, url.origin + base + path);
    },
    close: () => agent.destroy(),
  };
}

function reason(error: Error): string {
  // A name with several addresses fails with one error for each.
  const [first] = (error as { errors?: Error[] }).errors ?? [];
  return error.message || first?.message || ((error as { code?: string }).code ?? "unknown");
}

function collect(response: http.IncomingMessage): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    response.on("data", (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes > mostAnswerBytes) response.destroy(new Error("the answer is too large"));
    });
    response.on("error", reject);
    response.on("aborted", () => reject(new Error("the answer broke off")));
    response.on("end", () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(parts).toString("utf8"),
      }),
    );
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function read(answer: Answer, address: string): unknown {
  const body = parse(answer.text);
  const { status, headers } = answer;
  if (status >= 200 && status < 300) {
    if (typeof body === "object" && body !== null) return body;
    throw new SyncError(`${address} answered ${status} without JSON: is this the address of Rollcall?`, {
      status,
      code: "client.answer",
    });
  }
  if (status >= 300 && status < 400) {
    throw new SyncError(`${address} redirects to ${headers.location ?? "another address"}: give that address as url`, {
      status,
      code: "client.answer",
    });
  }
  throw problemError(answer, body, address);
}

interface ProblemBody {
  readonly title?: unknown;
  readonly code?: unknown;
  readonly traceId?: unknown;
  readonly params?: unknown;
}

function problemError({ status, headers }: Answer, body: unknown, address: string): SyncError {
  const problem = (typeof body === "object" && body !== null ? body : {}) as ProblemBody;
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
  const header = headers["x-trace-id"];
  return new SyncError(`${address} answered ${status}: ${text(problem.title) ?? http.STATUS_CODES[status] ?? "unknown"}`, {
    status,
    code: text(problem.code) ?? "client.answer",
    traceId: text(problem.traceId) ?? text(header),
    params:
      typeof problem.params === "object" && problem.params !== null ? (problem.params as Record<string, string | number>) : {},
    retryAfterMs: retryAfter(headers),
  });
}

function retryAfter(headers: http.IncomingHttpHeaders): number | null {
  const value = headers["retry-after"];
  if (value === undefined) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  // A date is compared with the server's own clock, which may differ from ours.
  const wait = Date.parse(value) - Date.parse(headers.date ?? "");
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}
