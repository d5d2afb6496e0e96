const least = 10;
const most = 90;
const step = 4;

/** A share of the first pane from 0 to 1, as whole percent that leave room for both. */
export const clampShare = (share: number): number => Math.min(most, Math.max(least, Math.round(share * 100)));

const KEYS = {
  row: { ArrowLeft: -step, ArrowRight: step },
  column: { ArrowUp: -step, ArrowDown: step },
} as const;

/** Where a key moves the edge; null where the key is for something else. */
export function nextShare(now: number, key: string, direction: "row" | "column", usual: number): number | null {
  if (key === "Home") return least;
  if (key === "End") return most;
  if (key === "Enter") return usual;
  const moved = (KEYS[direction] as Readonly<Record<string, number>>)[key];
  return moved === undefined ? null : clampShare((now + moved) / 100);
}
