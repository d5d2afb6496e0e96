import type { KeyboardEvent } from "react";
import type { GridProps } from "./grid.types.ts";
import { allOf, extendedTo, toggled } from "./listSelection.ts";

/** Rows that remain visible from the page before. */
const OVERLAP = 10;

interface Keys<T> {
  readonly props: GridProps<T>;
  readonly active: number;
  /** Rows that are rendered. */
  readonly shown: number;
  go(index: number): void;
}

/** How far a key moves the active row; undefined for other keys. */
function stepOf(key: string, active: number, last: number, page: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -active,
    End: last - active,
  };
  return steps[key];
}

/** Selects by keyboard; whether the key did. */
function select<T>(event: KeyboardEvent, { props, active, go }: Keys<T>): boolean {
  const { selection: of, rows, rowKey } = props;
  const row = rows[active];
  if (!of || row === undefined) return false;
  const order = rows.map(rowKey);
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a") {
    of.onChange(allOf(order));
    return true;
  }
  if (event.ctrlKey || event.metaKey) return false;
  // Space in a checkbox is a click on it.
  if (event.key === " " && event.target === event.currentTarget) {
    of.onChange(toggled(of.selection, order[active]!));
    return true;
  }
  if (!event.shiftKey || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return false;
  const to = active + (event.key === "ArrowDown" ? 1 : -1);
  const from = of.selection.anchor === null ? toggled(of.selection, order[active]!) : of.selection;
  of.onChange(extendedTo(from, order, order[Math.max(0, Math.min(to, order.length - 1))]!));
  go(to);
  return true;
}

/** Handles a key that is pressed in a row. */
export function handleKey<T>(event: KeyboardEvent, keys: Keys<T>): void {
  const { props, active, shown, go } = keys;
  if (event.altKey) return;
  if (select(event, keys)) {
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey) return;
  const step = stepOf(event.key, active, props.rows.length - 1, Math.max(1, shown - OVERLAP));
  const row = props.rows[active];
  if (step !== undefined) go(active + step);
  else if (event.key === "Enter" && row !== undefined && event.target === event.currentTarget) props.onOpen(row);
  else return;
  event.preventDefault();
}
