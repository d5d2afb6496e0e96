import { createHash } from "node:crypto";
import { CachedMap, SharedLoads } from "#core/cached.ts";
import type { Clock } from "#core/ports/index.ts";
import type { PictureRequest } from "./imageproxy.api.ts";
import type { CachedPicture, PictureDisk } from "./imageproxy.disk.service.ts";
import type { PictureFetcher, FetchFailure } from "./imageproxy.fetch.service.ts";
import type { PictureMemoryCache } from "./imageproxy.hot.service.ts";
import { fetchable, hostOf, type HostRules } from "./imageproxy.policy.ts";

/** How long a picture is served after it expired while its origin does not answer. */
export const staleMs = 24 * 60 * 60_000;
/** How long it is remembered that there is no picture, and that an origin did not answer. */
const missedMs = 60_000;
const awayMs = 30_000;
const mostMissed = 2000;

export type Outcome = "memory" | "disk" | "fetched" | "revalidated" | "stale" | "refused";

export interface FinderDeps {
  readonly clock: Clock;
  readonly rules: HostRules;
  /** Names the rules in the keys of cached pictures: those of other rules are not found. */
  readonly rulesName: string;
  readonly disk: PictureDisk;
  readonly hot: PictureMemoryCache;
  readonly fetcher: PictureFetcher;
  /** For the metrics: the outcome of each request, with the reason of a failure or the bytes that are served. */
  readonly onOutcome: (outcome: Outcome, detail: FetchFailure | number) => void;
}

export type Found = { readonly picture: CachedPicture; readonly outcome: Outcome } | { readonly failure: FetchFailure };

/** Finds pictures in memory, on disk or at their origin. */
export class PictureFinder {
  readonly #deps: FinderDeps;
  /** Why there was no picture, by key: of origins that did not answer, and of all others. */
  readonly #away: CachedMap<string, FetchFailure>;
  readonly #missed: CachedMap<string, FetchFailure>;
  readonly #loads = new SharedLoads<string, Found>();

  constructor(deps: FinderDeps) {
    this.#deps = deps;
    const { clock } = deps;
    this.#away = new CachedMap({ clock, ttlMs: awayMs, max: mostMissed });
    this.#missed = new CachedMap({ clock, ttlMs: missedMs, max: mostMissed });
  }

  keyOf({ url, size, namedBy, drawings }: PictureRequest): string {
    return createHash("sha256")
      .update(`${this.#deps.rulesName}\n${namedBy}${drawings ? " drawn" : ""}\n${size}\n${url}`)
      .digest("hex");
  }

  async find(request: PictureRequest): Promise<Found> {
    const found = await this.#find(request);
    if ("failure" in found) this.#deps.onOutcome("refused", found.failure);
    else this.#deps.onOutcome(found.outcome, found.picture.bytes.length);
    return found;
  }

  /** A picture by its key; null when it is not in memory or expired. */
  findInMemory(key: string): CachedPicture | null {
    const picture = this.#hot(key);
    if (picture !== null) this.#deps.onOutcome("memory", picture.bytes.length);
    return picture;
  }

  async #find(request: PictureRequest): Promise<Found> {
    const url = fetchable(request.url);
    if (url === null) return { failure: "address" };
    if (!this.#deps.rules.host(hostOf(url), request.namedBy)) return { failure: "host" };
    const normalized = { ...request, url: url.href };
    const key = this.keyOf(normalized);
    const picture = this.#hot(key);
    if (picture !== null) return { picture, outcome: "memory" };
    return await this.#loads.get(key, async () => await this.#load(key, normalized));
  }

  async #load(key: string, request: PictureRequest): Promise<Found> {
    const { disk, hot, fetcher } = this.#deps;
    const cached = hot.get(key) ?? (await disk.get(key));
    if (cached !== null && this.#isFresh(cached)) {
      hot.put(key, cached);
      return { picture: cached, outcome: "disk" };
    }
    const why = this.#away.fresh(key) ?? this.#missed.fresh(key);
    if (why !== undefined) return this.#withoutOrigin(cached, why);
    const fetched = await fetcher.fetch(request, cached);
    if (fetched.got === "nothing") {
      this.#addMissed(key, fetched.why);
      const instead = this.#withoutOrigin(cached, fetched.why);
      if ("failure" in instead && cached !== null) {
        hot.drop(key);
        await disk.drop(key);
      }
      return instead;
    }
    hot.put(key, fetched.picture);
    await disk.put(key, fetched.picture);
    return { picture: fetched.picture, outcome: fetched.got === "same" ? "revalidated" : "fetched" };
  }

  #hot(key: string): CachedPicture | null {
    const picture = this.#deps.hot.get(key);
    return picture !== null && this.#isFresh(picture) ? picture : null;
  }

  #isFresh({ fetchedAt, freshUntil }: CachedPicture): boolean {
    const now = this.#deps.clock.now();
    // A picture from the future is not fresh: after the clock was set back it would stay for years.
    return now < freshUntil && now >= fetchedAt - missedMs;
  }

  /** The answer while an origin does not answer: the cached picture, up to a day after it expired. */
  #withoutOrigin(cached: CachedPicture | null, why: FetchFailure): Found {
    const usable = cached !== null && (why === "away" || why === "busy") && this.#deps.clock.now() < cached.freshUntil + staleMs;
    return usable ? { picture: cached, outcome: "stale" } : { failure: why };
  }

  #addMissed(key: string, why: FetchFailure): void {
    if (why === "busy") return;
    const missed = why === "away" ? this.#away : this.#missed;
    missed.set(key, why);
  }
}
