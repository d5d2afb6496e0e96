import type { Picture, PictureProblem, PictureEncoding, WebpEncoding } from "#core/ports/index.ts";

/** The pool of a child process: `uploads` has only the decoders for uploads. */
export type PicturePool = "uploads" | "sites";

export type PictureTask =
  | { readonly kind: "encode"; readonly bytes: Uint8Array; readonly target: PictureEncoding }
  | { readonly kind: "webp"; readonly bytes: Uint8Array; readonly target: WebpEncoding };

export interface Encoded {
  readonly whole: Picture;
  readonly thumbnail: Picture;
}

/** Messages of the process: once that it is ready, then a reply to each task. */
export type PictureReply =
  | { readonly ready: true }
  /** The decoder cannot be loaded: the installation is broken. */
  | { readonly fault: string }
  | { readonly encoded: Encoded }
  | { readonly webp: Uint8Array }
  /** `last`: the process ends after this reply. */
  | { readonly problem: PictureProblem; readonly reason: string; readonly last?: true };
