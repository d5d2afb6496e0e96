/** The selected rows of a list, by id. */
export interface Selection {
  readonly ids: ReadonlySet<number>;
  /** The row from which a range extends; null before one was selected. */
  readonly anchor: number | null;
  /** What was selected apart from the range: it stays while the range becomes longer or shorter. */
  readonly beside: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();
export const nothingSelected: Selection = { ids: NONE, anchor: null, beside: NONE };

/** Selects a row, or takes it out. */
export function toggled({ ids }: Selection, id: number): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id, beside: next };
}

/** The range from the anchor to a row, in the order of the list, besides what was selected before. */
export function extendedTo(selection: Selection, order: readonly number[], id: number): Selection {
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor);
  const to = order.indexOf(id);
  if (to < 0) return selection;
  if (from < 0) return { ids: new Set([...selection.ids, id]), anchor: id, beside: selection.ids };
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ...selection, ids: new Set([...selection.beside, ...range]) };
}

/** All loaded rows. */
export function allOf(order: readonly number[]): Selection {
  const ids = new Set(order);
  return { ids, anchor: order.at(-1) ?? null, beside: ids };
}

/** Without rows that are gone from the list; the same object when none is. */
export function present(selection: Selection, order: readonly number[]): Selection {
  if (selection.ids.size === 0) return selection;
  const shown = new Set(order);
  const kept = (ids: ReadonlySet<number>) => new Set([...ids].filter((id) => shown.has(id)));
  const ids = kept(selection.ids);
  if (ids.size === selection.ids.size) return selection;
  const { anchor } = selection;
  return { ids, anchor: anchor !== null && shown.has(anchor) ? anchor : null, beside: kept(selection.beside) };
}
