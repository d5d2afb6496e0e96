import { type Clock, type Outgoing, type OutgoingAnswer, OutgoingFailed, type OutgoingProblem } from "#core/ports/index.ts";
import type { PictureRequest } from "./imageproxy.api.ts";
import { hashOf, type Kept } from "./imageproxy.disk.service.ts";
import { remake } from "./imageproxy.picture.service.ts";
import { fetchable, freshUntil, type HostRules } from "./imageproxy.policy.ts";

/** Why there is no picture. `away` may pass: the origin was not reached, or had a fault of its own. */
export type Refusal = "host" | "address" | "away" | "missing" | "type" | "broken" | "tooLarge" | "redirects" | "busy";

export type Fetched =
  | { readonly got: "picture"; readonly kept: Kept }
  | { readonly got: "same"; readonly kept: Kept }
  | { readonly got: "nothing"; readonly why: Refusal };

export interface FetchLimits {
  /** Milliseconds for the whole exchange. */
  readonly timeoutMs: number;
  /** Of what the origin sends. */
  readonly maxBytes: number;
  /** Fetches under way at the same time, and how many wait for one of them to end. */
  readonly atOnce: number;
  readonly waiting: number;
}

export const usualFetchLimits: FetchLimits = { timeoutMs: 10_000, maxBytes: 10 * 1024 * 1024, atOnce: 8, waiting: 200 };

const whyOf: Readonly<Record<OutgoingProblem, Refusal>> = {
  refusedHost: "host",
  refusedAddress: "address",
  badUrl: "address",
  unreachable: "away",
  timeout: "away",
  tooLarge: "tooLarge",
  tooManyRedirects: "redirects",
};

const longestValidator = 500;
const validator = (text: string | undefined) => (text === undefined || text.length > longestValidator ? null : text);

export interface FetcherDeps {
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly rules: HostRules;
  readonly minimumMs: number;
  readonly limits: FetchLimits;
  /** Told how many bytes each origin sent. */
  fetched(bytes: number): void;
}

/** Asks origins for pictures, or whether a kept one is still theirs. */
export function createFetcher(deps: FetcherDeps) {
  const { limits } = deps;
  const queue: (() => void)[] = [];
  let underWay = 0;

  async function ask({ url, namedBy }: PictureRequest, kept: Kept | null): Promise<OutgoingAnswer> {
    const headers: Record<string, string> = { accept: "image/avif,image/webp,image/png,image/jpeg,image/gif,image/svg+xml" };
    if (kept?.origin.etag != null) headers["if-none-match"] = kept.origin.etag;
    if (kept?.origin.lastModified != null) headers["if-modified-since"] = kept.origin.lastModified;
    return await deps.outgoing.request({
      url,
      from: namedBy === "configuration" ? "endpoint" : "supplied",
      reach: { host: (host) => deps.rules.host(host, namedBy), address: deps.rules.address },
      headers,
      timeoutMs: limits.timeoutMs,
      maxBytes: limits.maxBytes,
    });
  }

  async function judge(request: PictureRequest, answer: OutgoingAnswer, kept: Kept | null): Promise<Fetched> {
    const { status, headers, body } = answer;
    const now = deps.clock.now();
    const until = freshUntil(headers, deps.minimumMs, now);
    if (status === 304 && kept !== null) return { got: "same", kept: { ...kept, fetchedAt: now, freshUntil: until } };
    if (status >= 500 || status === 429 || status === 408) return { got: "nothing", why: "away" };
    if (status !== 200) return { got: "nothing", why: "missing" };
    deps.fetched(body.length);
    // Drawings only where an operator named the address; they are drawn here and never handed on.
    const made = await remake(body, request.size, { drawings: request.namedBy === "configuration" });
    if (typeof made === "string") return { got: "nothing", why: made };
    const origin = { etag: validator(headers["etag"]), lastModified: validator(headers["last-modified"]) };
    const etag = hashOf(made);
    return { got: "picture", kept: { type: "image/webp", etag, fetchedAt: now, freshUntil: until, origin, bytes: made } };
  }

  async function turn<T>(work: () => Promise<T>): Promise<T | "busy"> {
    if (underWay >= limits.atOnce) {
      if (queue.length >= limits.waiting) return "busy";
      await new Promise<void>((resolve) => queue.push(resolve));
    } else underWay += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else underWay -= 1;
    }
  }

  /** Never throws for what an origin does. `kept` is asked about by its validators. */
  return async function fetchPicture(request: PictureRequest, kept: Kept | null): Promise<Fetched> {
    if (fetchable(request.url) === null) return { got: "nothing", why: "address" };
    const done = await turn(async () => {
      try {
        return await judge(request, await ask(request, kept), kept);
      } catch (error) {
        if (!(error instanceof OutgoingFailed)) throw error;
        return { got: "nothing", why: whyOf[error.problem] } as const;
      }
    });
    return done === "busy" ? { got: "nothing", why: "busy" } : done;
  };
}

export type Fetcher = ReturnType<typeof createFetcher>;
