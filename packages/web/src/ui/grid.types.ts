import type { ReactNode, Ref } from "react";
import type { ListOrders } from "./listOrder.ts";
import type { Selection } from "./listSelection.ts";

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  /** CSS grid track, as `minmax(120px, 2fr)`. */
  readonly track: string;
  /** Hidden when the grid is narrower than this. Pixels. */
  readonly from?: number;
  readonly numeric?: boolean;
  /** Shown only to those who choose it. */
  readonly optional?: true;
  /** Name of the order of the server that sorts by this column. */
  readonly order?: string;
  cell(row: T): ReactNode;
}

export interface GridHandle {
  /** Moves the open record by `step`; without one the active row, with the focus on it. */
  move(step: number): void;
}

export interface GridSort {
  readonly orders: ListOrders;
  /** The chosen order; undefined for the list's own. */
  readonly chosen: string | undefined;
  /** A search puts its best matches first unless an order is chosen. */
  readonly ranked: boolean;
  onOrder(order: string | undefined): void;
}

export interface GridSelection {
  readonly selection: Selection;
  onChange(next: Selection): void;
}

export interface GridColumns {
  /** Ids of the columns that the viewer hid. */
  readonly hidden: readonly string[];
  onHidden(hidden: readonly string[]): void;
}

export interface GridProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly choice: GridColumns;
  /** Left out where the list has one order only. */
  readonly sort: GridSort | null;
  /** Null where nothing can be done with several rows. */
  readonly selection: GridSelection | null;
  /** Changes with the filters and the order: the rows are others, and the list begins at its first. */
  readonly rowsKey: string;
  readonly rows: readonly T[];
  rowKey(row: T): number;
  /** Changes when live data changed the row: it lights up once. */
  rowVersion(row: T): number;
  /** Null for a row that leads nowhere. */
  href(row: T): string | null;
  onOpen(row: T): void;
  /** Two short lines in place of columns on a narrow screen. */
  narrow(row: T): readonly [first: ReactNode, second: ReactNode];
  /** Id of the record that is open beside the list. */
  readonly opened: number | null;
  /** The first rows are loading. */
  readonly loading: boolean;
  readonly empty: ReactNode;
  readonly more: boolean;
  onMore(): void;
  /** Index of the row at the top when the list was last left. */
  readonly startAt: number;
  onTop(index: number): void;
  /** Which rows are on screen, by index. */
  onShown(first: number, last: number): void;
  readonly footer: ReactNode;
  readonly handle?: Ref<GridHandle>;
}
