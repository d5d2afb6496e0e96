import { apiToken } from "#core/feature.ts";
import type { PictureSize } from "./imageproxy.contract.ts";

/**
 * Where the URL of a picture comes from. `configuration`: config.yaml; the host may be private and needs
 * no entry in `allowHosts`. `provider`: a service that config.yaml names; any public host. `people`: only
 * hosts of `allowHosts`. `denyHosts` applies to all of them.
 */
export type NamedBy = "configuration" | "provider" | "people";

export interface PictureRequest {
  readonly url: string;
  readonly size: PictureSize;
  readonly namedBy: NamedBy;
  /** Allows a drawing (SVG). Only for URLs that config.yaml contains literally, never for ones from data of people. */
  readonly drawings: boolean;
  /** An account or a network. Limits apply to each requester, so that one does not block the others. */
  readonly requester: string;
}

export interface Picture {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** Hash of the bytes. */
  readonly etag: string;
  /** Whole seconds until the picture is revalidated; at least one. */
  readonly freshSeconds: number;
}

export interface ImageProxyApi {
  /**
   * The signed URL, on the origin of this instance, of a picture that people named. It expires after one
   * to two days. Null when the picture would not be fetched.
   */
  imageProxyUrl(url: string, size: PictureSize): string | null;
  /** For features that serve a picture under a URL of their own. Null when there is none that may be shown. */
  picture(request: PictureRequest): Promise<Picture | null>;
}

export const imageProxyApi = apiToken<ImageProxyApi>("imageproxy");
