/** The items in their order, at most `size` together; none of no items. */
export function chunksOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_none, i) => items.slice(i * size, (i + 1) * size));
}
