import { setPreferences, usePreferences } from "#core/preferences.ts";

/** `hide` in the address of a list: the hidden columns, or `-` for none. */
export function hideOf(hidden: readonly string[]): string {
  return hidden.length === 0 ? "-" : hidden.join(",");
}

/** The hidden columns: those of the address, which a view or a link names, else those that the person chose, else the optional ones. */
export function hiddenColumns(
  hide: string | undefined,
  chosen: readonly string[] | undefined,
  optional: readonly string[],
): readonly string[] {
  if (hide === undefined) return chosen ?? optional;
  return hide === "-" ? [] : hide.split(",");
}

export function toggledColumn(hidden: readonly string[], id: string): readonly string[] {
  return hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id].toSorted();
}

interface Sized {
  readonly id: string;
  readonly header: string;
  readonly from?: number;
}

/** A column in the menu. `narrow`: chosen, and hidden because the list is too narrow for it. */
export interface ColumnChoice {
  readonly id: string;
  readonly header: string;
  readonly state: "shown" | "hidden" | "narrow";
  /** The first column names the record, and cannot be hidden. */
  readonly fixed: boolean;
}

export function columnChoices(columns: readonly Sized[], hidden: readonly string[], width: number): readonly ColumnChoice[] {
  return columns.map(({ id, header, from = 0 }, index) => {
    const fixed = index === 0;
    const state = !fixed && hidden.includes(id) ? "hidden" : width < from ? "narrow" : "shown";
    return { id, header, state, fixed };
  });
}

export const optionalOf = (columns: readonly { readonly id: string; readonly optional?: true }[]): string[] =>
  columns.filter(({ optional }) => optional).map(({ id }) => id);

/** The columns that a person hid in one list, on all devices or on this one. */
export function useHiddenColumns(list: string, optional: readonly string[] = []) {
  const { columns } = usePreferences();
  return {
    chosen: columns[list],
    choose(hidden: readonly string[]) {
      const { [list]: _before, ...others } = columns;
      const asUsual = hidden.toSorted().join() === optional.toSorted().join();
      setPreferences({ columns: asUsual ? others : { ...others, [list]: hidden } });
    },
  };
}

/** The address of a list as it is saved: with the columns that are hidden now, also those that the person hid in general. */
export function useSavedAddress<S extends { readonly hide?: string }>(list: string, search: S): S {
  const { chosen } = useHiddenColumns(list);
  return search.hide === undefined && chosen !== undefined ? { ...search, hide: hideOf(chosen) } : search;
}
