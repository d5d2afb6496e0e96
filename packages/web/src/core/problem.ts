/**
 * A failed call. `code` is one of the declared errors (`citizens.notFound`), or one of the browser's
 * own: `web.offline`, `web.timeout`, `web.unreadable`, `web.cookieDropped`.
 */
export class Problem extends Error {
  override name = "Problem";
  readonly code: string;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly params: Readonly<Record<string, string | number>>;
  readonly traceId: string | null;
  /** The whole problem document, for members beyond the usual ones. */
  readonly document: Readonly<Record<string, unknown>>;

  constructor(code: string, status: number, document: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(`${code} (${status})`, { cause });
    this.code = code;
    this.status = status;
    this.params = isRecord(document["params"]) ? (document["params"] as Record<string, string | number>) : {};
    this.traceId = typeof document["traceId"] === "string" ? document["traceId"] : null;
    this.document = document;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function problemOf(status: number, body: unknown, traceId: string | null): Problem {
  const document = isRecord(body) ? body : {};
  const code = typeof document["code"] === "string" ? document["code"] : "web.unreadable";
  return new Problem(code, status, { traceId, ...document });
}

/** Any thrown value as a problem, so that pages handle a single type. */
export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem("web.unexpected", 0, {}, error);
}
