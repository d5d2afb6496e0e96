const least = 10;
const most = 90;
const step = 4;

/** A share of the first pane from 0 to 1, as whole percent that leave room for both. */
export const clampShare = (share: number): number => Math.min(most, Math.max(least, Math.round(share * 100)));

const KEYS = {
  row: { ArrowLeft: -step, ArrowRight: step },
  column: { ArrowUp: -step, ArrowDown: step },
} as const;

/** Where a key moves the divider; null where the key is for something else. */
export function nextShare(now: number, key: string, direction: "row" | "column"): number | null {
  if (key === "Home") return least;
  if (key === "End") return most;
  const moved = (KEYS[direction] as Readonly<Record<string, number>>)[key];
  return moved === undefined ? null : clampShare((now + moved) / 100);
}

/** The dividers whose second pane is collapsed, after a double click on this one. */
export const toggled = (id: string, collapsed: readonly string[] = []): string[] =>
  collapsed.includes(id) ? collapsed.filter((one) => one !== id) : [...collapsed, id];
