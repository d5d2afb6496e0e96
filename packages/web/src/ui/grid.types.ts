import type { ReactNode, Ref } from "react";

export interface Column<T> {
  readonly id: string;
  readonly header: string;
  /** CSS grid track, as `minmax(120px, 2fr)`. */
  readonly track: string;
  /** Hidden when the grid is narrower than this. Pixels. */
  readonly from?: number;
  readonly numeric?: boolean;
  cell(row: T): ReactNode;
}

export interface GridHandle {
  /** Moves the active row by `step` and puts the focus on it. */
  move(step: number): void;
}

export interface GridProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  rowKey(row: T): number;
  /** Changes when live data changed the row: it lights up once. */
  rowVersion(row: T): number;
  href(row: T): string;
  onOpen(row: T): void;
  /** Two short lines in place of columns on a narrow screen. */
  narrow(row: T): readonly [first: ReactNode, second: ReactNode];
  readonly selected: number | null;
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
