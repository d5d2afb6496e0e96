import type { FileAnswer } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { networkOf } from "#core/network.ts";
import type { Clock, Signer } from "#core/ports/index.ts";
import { BoundedMap } from "#core/recent.ts";
import type { ImageProxyApi, Picture, PictureRequest } from "./imageproxy.api.ts";
import { imageproxyErrors, type PictureSize } from "./imageproxy.contract.ts";
import type { CachedPicture } from "./imageproxy.disk.service.ts";
import type { FetchFailure } from "./imageproxy.fetch.service.ts";
import type { PictureFinder } from "./imageproxy.find.service.ts";
import { fetchable, hostOf, type HostRules, isPictureSize } from "./imageproxy.policy.ts";

const purpose = "imageproxy.address";
const daySeconds = 24 * 60 * 60;
const mostVerified = 5000;
const longestBrowserSeconds = 24 * 60 * 60;

export interface ImageProxyDeps {
  readonly clock: Clock;
  readonly signer: Signer;
  readonly rules: HostRules;
  readonly finder: PictureFinder;
}

/** The query of a signed URL. `until` in seconds UTC; `mark` is the signature. */
interface SignedQuery {
  readonly url: string;
  readonly size: number;
  readonly until: number;
  readonly mark: string;
}

const signedText = ({ url, size, until }: Omit<SignedQuery, "mark">) => `${size}\n${until}\n${url}`;

function refusalOf(why: FetchFailure, url: string): AppError {
  if (why === "busy") return new AppError(imageproxyErrors.busy);
  if (why === "host") return new AppError(imageproxyErrors.hostNotAllowed, { params: { host: new URL(url).hostname } });
  return new AppError(imageproxyErrors.noPicture);
}

/** Serves pictures of other sites under signed URLs of this instance. */
export class ImageProxy implements ImageProxyApi {
  readonly #deps: ImageProxyDeps;
  /** Keys of pictures by signed URLs that were verified: a page that many people have open costs one verification. */
  readonly #verified = new BoundedMap<string, string>(mostVerified);

  constructor(deps: ImageProxyDeps) {
    this.#deps = deps;
  }

  imageProxyUrl(text: string, size: PictureSize): string | null {
    const { clock, signer, rules } = this.#deps;
    const url = fetchable(text);
    if (url === null || !rules.host(hostOf(url), "people")) return null;
    // The same URL all day, so that browsers cache the picture.
    const until = (Math.floor(clock.now() / 1000 / daySeconds) + 2) * daySeconds;
    const mark = signer.sign(purpose, signedText({ url: url.href, size, until }));
    return `/api/image-proxy?${new URLSearchParams({ url: url.href, size: String(size), until: String(until), mark }).toString()}`;
  }

  async picture(request: PictureRequest): Promise<Picture | null> {
    const found = await this.#deps.finder.find(request);
    return "failure" in found ? null : this.#pictureOf(found.picture);
  }

  addresses(urls: readonly string[], size: number): { addresses: (string | null)[] } {
    return { addresses: urls.map((url) => (isPictureSize(size) ? this.imageProxyUrl(url, size) : null)) };
  }

  /** `client` is an address; limits apply to its network. */
  async signedPicture(query: SignedQuery, client: string): Promise<FileAnswer> {
    const { clock, signer, finder } = this.#deps;
    const { url, size, until, mark } = query;
    if (until * 1000 <= clock.now()) throw new AppError(imageproxyErrors.markInvalid);
    const text = signedText(query);
    const signed = `${mark}\n${text}`;
    const key = this.#verified.get(signed);
    const picture = key === undefined ? null : finder.findInMemory(key);
    if (picture !== null) return this.#answerOf(picture);
    if (!signer.verify(purpose, text, mark) || !isPictureSize(size)) throw new AppError(imageproxyErrors.markInvalid);
    const request: PictureRequest = { url, size, namedBy: "people", drawings: false, requester: networkOf(client) };
    const found = await finder.find(request);
    if ("failure" in found) throw refusalOf(found.failure, url);
    this.#verified.set(signed, finder.keyOf(request));
    return this.#answerOf(found.picture);
  }

  #pictureOf({ type, bytes, etag, freshUntil }: CachedPicture): Picture {
    const left = Math.floor((freshUntil - this.#deps.clock.now()) / 1000);
    return { type, bytes, etag, freshSeconds: Math.max(1, Math.min(left, longestBrowserSeconds)) };
  }

  #answerOf(picture: CachedPicture): FileAnswer {
    const { type, bytes, etag, freshSeconds } = this.#pictureOf(picture);
    return { type, body: bytes, size: bytes.length, etag, cacheSeconds: freshSeconds, shared: true };
  }
}
