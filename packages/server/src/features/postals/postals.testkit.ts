import { createRandom } from "#core/random.ts";
import type { Postal } from "./postals.contract.ts";

/** The bounds of a usual map, in metres. */
export const usualMap = { west: -3427, east: 3751, south: -3464, north: 6674 } as const;

/** The postal codes of a street grid over a usual map, one at each crossing; the same for the same seed. */
export function streetGrid({ columns = 20, rows = 30, seed = 7 } = {}): Postal[] {
  const random = createRandom(seed);
  const { west, east, south, north } = usualMap;
  const [width, height] = [(east - west) / columns, (north - south) / rows];
  const place = (start: number, size: number) => Math.round((start + size * (0.2 + 0.6 * random.next())) * 100) / 100;
  return Array.from({ length: columns * rows }, (_one, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const code = String((row + 1) * 100 + column + 1);
    return { code, x: place(west + column * width, width), y: place(south + row * height, height) };
  });
}
