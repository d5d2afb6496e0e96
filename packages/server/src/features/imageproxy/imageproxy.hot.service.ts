import type { CachedPicture } from "./imageproxy.disk.service.ts";

/** The pictures that were used last, in memory; larger ones are only on disk. */
export class PictureMemoryCache {
  readonly #options: { readonly mostBytes: number; readonly largest: number };
  /** In order of their last use. */
  readonly #pictures = new Map<string, CachedPicture>();
  #bytes = 0;

  /** In bytes: of all pictures together, and of one. */
  constructor(options: { readonly mostBytes: number; readonly largest: number }) {
    this.#options = options;
  }

  get(key: string): CachedPicture | null {
    const picture = this.#pictures.get(key);
    if (picture === undefined) return null;
    this.#pictures.delete(key);
    this.#pictures.set(key, picture);
    return picture;
  }

  put(key: string, picture: CachedPicture): void {
    const { mostBytes, largest } = this.#options;
    this.drop(key);
    if (picture.bytes.length > largest) return;
    this.#pictures.set(key, picture);
    this.#bytes += picture.bytes.length;
    for (const oldest of this.#pictures.keys()) {
      if (this.#bytes <= mostBytes) break;
      this.drop(oldest);
    }
  }

  drop(key: string): void {
    this.#bytes -= this.#pictures.get(key)?.bytes.length ?? 0;
    this.#pictures.delete(key);
  }
}
