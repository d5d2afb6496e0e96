import { createHash } from "node:crypto";
import type { FileAnswer } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Signer } from "#core/ports/index.ts";
import type { ImageProxyApi, Picture, PictureRequest } from "./imageproxy.api.ts";
import { imageproxyErrors, type ImageSize } from "./imageproxy.contract.ts";
import type { Disk, Kept } from "./imageproxy.disk.service.ts";
import type { Fetcher, Refusal } from "./imageproxy.fetch.service.ts";
import type { HotPictures } from "./imageproxy.hot.service.ts";
import { fetchable, type HostRules, isImageSize } from "./imageproxy.policy.ts";

const purpose = "imageproxy.address";
const daySeconds = 24 * 60 * 60;
/** A picture whose origin is away is shown for so long beyond its time. */
export const staleMs = 24 * 60 * 60_000;
/** That there is no picture is remembered so long; that its origin is away, shorter. */
const missedMs = 60_000;
const awayMs = 30_000;
const mostMissed = 2000;
const mostChecked = 5000;
const longestBrowserSeconds = 24 * 60 * 60;

export type Outcome = "memory" | "disk" | "fetched" | "revalidated" | "stale" | "refused";

export interface ImageProxyDeps {
  readonly clock: Clock;
  readonly signer: Signer;
  readonly rules: HostRules;
  /** What decides which pictures may be kept: others are looked for when it changes. */
  readonly rulesName: string;
  readonly disk: Disk;
  readonly hot: HotPictures;
  readonly fetchPicture: Fetcher;
  /** For the metrics: how each request ended, with the bytes that it gets. */
  ended(outcome: Outcome, detail: Refusal | number): void;
}

type Found = { readonly kept: Kept; readonly outcome: Outcome } | { readonly refused: Refusal };

export function createImageProxy(deps: ImageProxyDeps) {
  const { clock, disk, hot } = deps;
  const missed = new Map<string, { readonly why: Refusal; readonly until: number }>();
  const underWay = new Map<string, Promise<Found>>();
  /** Keys of addresses whose marks were found right: of a page that many people have open, once. */
  const checked = new Map<string, string>();

  const keyOf = ({ url, size, namedBy }: PictureRequest): string =>
    createHash("sha256").update(`${deps.rulesName}\n${namedBy}\n${size}\n${url}`).digest("hex");

  // A clock that was set back must not keep a picture for years.
  const fresh = ({ fetchedAt, freshUntil }: Kept, now: number) => now < freshUntil && now >= fetchedAt - missedMs;

  function remember(key: string, why: Refusal): void {
    if (why === "busy") return;
    const oldest = missed.size >= mostMissed ? missed.keys().next().value : undefined;
    if (oldest !== undefined) missed.delete(oldest);
    missed.set(key, { why, until: clock.now() + (why === "away" ? awayMs : missedMs) });
  }

  function recentlyMissed(key: string): Refusal | null {
    const known = missed.get(key);
    if (known === undefined) return null;
    if (known.until > clock.now()) return known.why;
    missed.delete(key);
    return null;
  }

  /** What is shown instead while an origin does not answer: what is kept, for a day beyond its time. */
  function whileAway(kept: Kept | null, why: Refusal): Found {
    const usable = kept !== null && (why === "away" || why === "busy") && clock.now() < kept.freshUntil + staleMs;
    return usable ? { kept, outcome: "stale" } : { refused: why };
  }

  async function load(key: string, request: PictureRequest): Promise<Found> {
    const kept = hot.get(key) ?? (await disk.get(key));
    if (kept !== null && fresh(kept, clock.now())) {
      hot.put(key, kept);
      return { kept, outcome: "disk" };
    }
    const why = recentlyMissed(key);
    if (why !== null) return whileAway(kept, why);
    const fetched = await deps.fetchPicture(request, kept);
    if (fetched.got === "nothing") {
      remember(key, fetched.why);
      const instead = whileAway(kept, fetched.why);
      if ("refused" in instead && kept !== null) {
        hot.drop(key);
        await disk.drop(key);
      }
      return instead;
    }
    hot.put(key, fetched.kept);
    await disk.put(key, fetched.kept);
    return { kept: fetched.kept, outcome: fetched.got === "same" ? "revalidated" : "fetched" };
  }

  async function find(request: PictureRequest): Promise<Found> {
    const url = fetchable(request.url);
    if (url === null) return { refused: "address" };
    const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
    if (!deps.rules.host(host, request.namedBy)) return { refused: "host" };
    const plain = { ...request, url: url.href };
    const key = keyOf(plain);
    const known = hot.get(key);
    if (known !== null && fresh(known, clock.now())) return { kept: known, outcome: "memory" };
    let loading = underWay.get(key);
    if (!loading) {
      loading = load(key, plain).finally(() => underWay.delete(key));
      underWay.set(key, loading);
    }
    return await loading;
  }

  async function counted(request: PictureRequest): Promise<Found> {
    const found = await find(request);
    if ("refused" in found) deps.ended("refused", found.refused);
    else deps.ended(found.outcome, found.kept.bytes.length);
    return found;
  }

  function shown({ type, bytes, etag, freshUntil }: Kept): Picture {
    const left = Math.floor((freshUntil - clock.now()) / 1000);
    return { type, bytes, etag, freshSeconds: Math.max(1, Math.min(left, longestBrowserSeconds)) };
  }

  function answerOf(kept: Kept): FileAnswer {
    const { type, bytes, etag, freshSeconds } = shown(kept);
    return { type, body: bytes, size: bytes.length, etag, cacheSeconds: freshSeconds, shared: true };
  }

  const marked = (url: string, size: number, until: number) => `${size}\n${until}\n${url}`;

  function imageProxyUrl(text: string, size: ImageSize): string | null {
    const url = fetchable(text);
    if (url === null) return null;
    const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
    if (!deps.rules.host(host, "people")) return null;
    // The same all day, so that browsers keep the picture.
    const until = (Math.floor(clock.now() / 1000 / daySeconds) + 2) * daySeconds;
    const mark = deps.signer.sign(purpose, marked(url.href, size, until));
    return `/api/image-proxy?${new URLSearchParams({ url: url.href, size: String(size), until: String(until), mark }).toString()}`;
  }

  const api: ImageProxyApi = {
    imageProxyUrl,
    async picture(request) {
      const found = await counted(request);
      return "refused" in found ? null : shown(found.kept);
    },
  };

  return {
    api,

    addresses(urls: readonly string[], size: number): { addresses: (string | null)[] } {
      return { addresses: urls.map((url) => (isImageSize(size) ? imageProxyUrl(url, size) : null)) };
    },

    async image(given: { url: string; size: number; until: number; mark: string }): Promise<FileAnswer> {
      const { url, size, until, mark } = given;
      if (until * 1000 <= clock.now()) throw new AppError(imageproxyErrors.markInvalid);
      const address = `${mark}\n${marked(url, size, until)}`;
      const key = checked.get(address);
      const known = key === undefined ? null : hot.get(key);
      if (known !== null && fresh(known, clock.now())) {
        deps.ended("memory", known.bytes.length);
        return answerOf(known);
      }
      const valid = deps.signer.verify(purpose, marked(url, size, until), mark);
      if (!valid || !isImageSize(size)) throw new AppError(imageproxyErrors.markInvalid);
      const request: PictureRequest = { url, size, namedBy: "people" };
      const found = await counted(request);
      if ("refused" in found) throw refusalOf(found.refused, url);
      if (checked.size >= mostChecked) checked.clear();
      checked.set(address, keyOf(request));
      return answerOf(found.kept);
    },
  };
}

function refusalOf(why: Refusal, url: string): AppError {
  if (why === "busy") return new AppError(imageproxyErrors.busy);
  if (why === "host") return new AppError(imageproxyErrors.hostNotAllowed, { params: { host: new URL(url).hostname } });
  return new AppError(imageproxyErrors.noPicture);
}

export type ImageProxy = ReturnType<typeof createImageProxy>;
