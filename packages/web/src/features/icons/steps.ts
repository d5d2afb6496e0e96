/**
 * The index that a key moves to from the item `at` among items that wrap into rows; `tops` are their
 * upper edges in pixels. Null for other keys.
 */
export function stepTo(key: string, at: number, tops: readonly number[]): number | null {
  const last = tops.length - 1;
  const columns = Math.max(1, tops.filter((top) => top === tops[0]).length);
  switch (key) {
    case "ArrowRight":
      return Math.min(at + 1, last);
    case "ArrowLeft":
      return Math.max(at - 1, 0);
    case "ArrowDown":
      return at + columns <= last ? at + columns : tops[at] === tops[last] ? at : last;
    case "ArrowUp":
      return at - columns >= 0 ? at - columns : at;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
