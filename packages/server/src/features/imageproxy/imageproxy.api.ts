import { apiToken } from "#core/feature.ts";
import type { ImageSize } from "./imageproxy.contract.ts";

/**
 * Who named the address of a picture. `configuration`: config.yaml, so its host may be private and
 * needs no entry in `allowHosts`. `provider`: a service that config.yaml names; any public host.
 * `people`: only hosts of `allowHosts`. `denyHosts` holds for all of them.
 */
export type NamedBy = "configuration" | "provider" | "people";

export interface PictureRequest {
  readonly url: string;
  readonly size: ImageSize;
  readonly namedBy: NamedBy;
}

export interface Picture {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Names exactly these bytes. */
  readonly etag: string;
  /** Whole seconds until the origin is asked again; at least one. */
  readonly freshSeconds: number;
}

export interface ImageProxyApi {
  /**
   * The address on our own origin under which a picture that people named is shown; it runs out after
   * one to two days. Null when it would not be fetched.
   */
  imageProxyUrl(url: string, size: ImageSize): string | null;
  /** For features that serve a picture at an address of their own. Null when there is none that may be shown. */
  picture(request: PictureRequest): Promise<Picture | null>;
}

export const imageProxyApi = apiToken<ImageProxyApi>("imageproxy");
