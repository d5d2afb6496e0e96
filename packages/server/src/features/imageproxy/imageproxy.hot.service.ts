import type { Kept } from "./imageproxy.disk.service.ts";

/** The pictures asked for last, in memory; larger ones stay on disk alone. */
export function createHotPictures({ mostBytes, largest }: { readonly mostBytes: number; readonly largest: number }) {
  /** The one used last stands last. */
  const pictures = new Map<string, Kept>();
  let bytes = 0;

  function drop(key: string): void {
    bytes -= pictures.get(key)?.bytes.length ?? 0;
    pictures.delete(key);
  }

  return {
    get(key: string): Kept | null {
      const kept = pictures.get(key);
      if (kept === undefined) return null;
      pictures.delete(key);
      pictures.set(key, kept);
      return kept;
    },
    put(key: string, kept: Kept): void {
      drop(key);
      if (kept.bytes.length > largest) return;
      pictures.set(key, kept);
      bytes += kept.bytes.length;
      for (const oldest of pictures.keys()) {
        if (bytes <= mostBytes) break;
        drop(oldest);
      }
    },
    drop,
  };
}

export type HotPictures = ReturnType<typeof createHotPictures>;
