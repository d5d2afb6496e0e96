import { FairQueue, type FairQueueOptions, QueueFull } from "#core/fair-queue.ts";
import { type Clock, type Outgoing, type OutgoingAnswer, OutgoingFailed, type OutgoingProblem } from "#core/ports/index.ts";
import type { PictureRequest } from "./imageproxy.api.ts";
import { hashOf, type CachedPicture } from "./imageproxy.disk.service.ts";
import type { PictureEncoder } from "./imageproxy.picture.service.ts";
import { fetchable, freshUntil, type HostRules } from "./imageproxy.policy.ts";

/** Why there is no picture. `away` is temporary: the origin was not reached or failed. */
export type FetchFailure = "host" | "address" | "away" | "missing" | "type" | "broken" | "tooLarge" | "redirects" | "busy";

export type Fetched =
  | { readonly got: "picture"; readonly picture: CachedPicture }
  | { readonly got: "same"; readonly picture: CachedPicture }
  | { readonly got: "nothing"; readonly why: FetchFailure };

export interface FetchLimits {
  /** Milliseconds for the whole exchange. */
  readonly timeoutMs: number;
  /** Of the answer of an origin. */
  readonly maxBytes: number;
  /** Most fetches at once, in total and of one requester, and most that wait. */
  readonly atOnce: number;
  readonly perRequester: number;
  readonly waiting: number;
  /** Time that the fetches of one requester may take. */
  readonly budget: FairQueueOptions["budget"];
}

export const usualFetchLimits: FetchLimits = {
  timeoutMs: 10_000,
  maxBytes: 10 * 1024 * 1024,
  atOnce: 8,
  perRequester: 4,
  waiting: 200,
  budget: { burstMs: 120_000, msPerSecond: 1000 },
};

const whyOf: Readonly<Record<OutgoingProblem, FetchFailure>> = {
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
  readonly encoder: PictureEncoder;
  /** Called with the number of bytes that an origin sent. */
  readonly onFetched: (bytes: number) => void;
}

/** Fetches pictures from their origins, or asks whether a cached one is still current. */
export class PictureFetcher {
  readonly #deps: FetcherDeps;
  readonly #queue: FairQueue;

  constructor(deps: FetcherDeps) {
    this.#deps = deps;
    // A fetch leaves the queue only after its picture is encoded, which bounds the bodies in memory.
    this.#queue = new FairQueue({ clock: deps.clock, ...deps.limits });
  }

  /** Never throws for anything that an origin does. `cached` is revalidated if it has validators. */
  async fetch(request: PictureRequest, cached: CachedPicture | null): Promise<Fetched> {
    if (fetchable(request.url) === null) return { got: "nothing", why: "address" };
    try {
      return await this.#queue.run(request.requester, async () => {
        const answer = await this.#request(request, cached);
        return await this.#evaluate(request, answer, cached);
      });
    } catch (error) {
      if (error instanceof QueueFull) return { got: "nothing", why: "busy" };
      if (error instanceof OutgoingFailed) return { got: "nothing", why: whyOf[error.problem] };
      throw error;
    }
  }

  async #request({ url, namedBy }: PictureRequest, cached: CachedPicture | null): Promise<OutgoingAnswer> {
    const { outgoing, rules, limits } = this.#deps;
    const headers: Record<string, string> = { accept: "image/avif,image/webp,image/png,image/jpeg,image/gif,image/svg+xml" };
    if (cached?.origin.etag != null) headers["if-none-match"] = cached.origin.etag;
    if (cached?.origin.lastModified != null) headers["if-modified-since"] = cached.origin.lastModified;
    return await outgoing.request({
      url,
      from: namedBy === "configuration" ? "endpoint" : "supplied",
      reach: {
        host: (host) => rules.host(host, namedBy),
        address: (address, isPublic) => rules.address(address, isPublic),
      },
      headers,
      timeoutMs: limits.timeoutMs,
      maxBytes: limits.maxBytes,
    });
  }

  async #evaluate(request: PictureRequest, answer: OutgoingAnswer, cached: CachedPicture | null): Promise<Fetched> {
    const { clock, minimumMs, encoder, onFetched } = this.#deps;
    const { status, headers, body } = answer;
    const now = clock.now();
    const until = freshUntil(headers, minimumMs, now);
    if (status === 304 && cached !== null) return { got: "same", picture: { ...cached, fetchedAt: now, freshUntil: until } };
    if (status >= 500 || status === 429 || status === 408) return { got: "nothing", why: "away" };
    if (status !== 200) return { got: "nothing", why: "missing" };
    onFetched(body.length);
    const encoded = await encoder.encode(body, request);
    if (typeof encoded === "string") return { got: "nothing", why: encoded };
    const origin = { etag: validator(headers["etag"]), lastModified: validator(headers["last-modified"]) };
    const etag = hashOf(encoded);
    const picture = { type: "image/webp", etag, fetchedAt: now, freshUntil: until, origin, bytes: encoded };
    return { got: "picture", picture };
  }
}
