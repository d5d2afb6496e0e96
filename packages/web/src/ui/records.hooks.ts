import { useState } from "react";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { type Shortcut, useShortcuts } from "#core/keyboard.ts";
import { chipsOf, type Chip, type Filter, type FilterValues } from "./listFilters.ts";
import { nothingSelected, present, type Selection } from "./listSelection.ts";

export interface ListSelection {
  readonly selection: Selection;
  change(next: Selection): void;
  clear(): void;
  /** Something is selected. */
  readonly any: boolean;
}

/** Keys that the rows of a table handle themselves. */
const TABLE_KEYS: readonly Shortcut[] = [
  { keys: "Space", label: "web.keys.select", group: "page" },
  { keys: "Shift+↓", label: "web.keys.extend", group: "page" },
  { keys: "Shift+↑", label: "web.keys.extend", group: "page" },
  { keys: "Ctrl+A", label: "web.keys.selectAll", group: "page" },
];

/** The selection of a list. `table`: its rows handle the keys of a table. Other filters or another order begin with an empty one. */
export function useSelection(rowsKey: string, order: readonly number[], table: boolean): ListSelection {
  const [kept, setKept] = useState<{ readonly rowsKey: string; readonly selection: Selection }>({
    rowsKey,
    selection: nothingSelected,
  });
  const selection = kept.rowsKey === rowsKey ? present(kept.selection, order) : nothingSelected;
  const change = (next: Selection) => setKept({ rowsKey, selection: next });
  const clear = () => change(nothingSelected);
  const any = selection.ids.size > 0;
  useShortcuts([
    ...(table ? TABLE_KEYS : []),
    ...(any ? [{ keys: "Escape", label: "web.keys.selectNone", group: "page", before: true, run: clear } as const] : []),
  ]);
  return { selection, change, clear, any };
}

/** What is filtered, in the viewer's words. */
export function useChips(filters: readonly Filter[], values: FilterValues): readonly Chip[] {
  const { language } = useText();
  const jobLabel = useJobLabels();
  return chipsOf(filters, values, { language, jobLabel });
}
