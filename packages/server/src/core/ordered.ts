interface Placed {
  readonly position: number;
}

/**
 * Rows in the order that somebody wants: the named ones first, each once, then the others as they were. `moved`: those
 * that get another position, counted from 1.
 */
export function reordered<R extends Placed>(
  rows: readonly R[],
  named: readonly R[],
): { readonly sorted: readonly R[]; readonly moved: readonly { readonly row: R; readonly position: number }[] } {
  const first = new Set(named);
  const sorted = [...first, ...rows.filter((row) => !first.has(row))];
  const moved = sorted.map((row, at) => ({ row, position: at + 1 })).filter(({ row, position }) => row.position !== position);
  return { sorted, moved };
}
