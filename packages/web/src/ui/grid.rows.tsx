import { useState, type CSSProperties, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import type { Column } from "./grid.types.ts";
import { Bar } from "./states.tsx";
import classes from "./grid.module.css";

export interface RowProps {
  readonly index: number;
  readonly version: number;
  readonly selected: boolean;
  readonly focusable: boolean;
  readonly narrow: boolean;
  readonly style: CSSProperties;
  onOpen(): void;
  onKey(event: KeyboardEvent): void;
  readonly children: ReactNode;
}

/** One row. It lights up once when live data changes it. */
export function Row(props: RowProps) {
  const [first] = useState(props.version);
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    props.onOpen();
  };
  const names = [classes["row"], props.narrow && classes["narrow"], props.version !== first && classes["fresh"]];
  return (
    <div
      role="row"
      data-index={props.index}
      aria-rowindex={props.index + 2}
      aria-selected={props.selected}
      tabIndex={props.focusable ? 0 : -1}
      className={names.filter(Boolean).join(" ")}
      style={props.style}
      onClick={open}
      onKeyDown={props.onKey}
    >
      {props.children}
    </div>
  );
}

export function Cells<T>({ columns, row, href }: { columns: readonly Column<T>[]; row: T; href: string }) {
  return columns.map((column, index) => (
    <div key={column.id} role="gridcell" className={`${classes["cell"]} ${column.numeric ? classes["number"] : ""}`}>
      {index === 0 ? (
        <a href={href} className={classes["link"]} tabIndex={-1}>
          {column.cell(row)}
        </a>
      ) : (
        column.cell(row)
      )}
    </div>
  ));
}

export interface NarrowCellProps {
  readonly lines: readonly [first: ReactNode, second: ReactNode];
  readonly href: string;
}

export function NarrowCell({ lines: [first, second], href }: NarrowCellProps) {
  return (
    <div role="gridcell" className={classes["cell"]}>
      <a href={href} className={`${classes["link"]} ${classes["narrowLine"]}`} tabIndex={-1}>
        {first}
      </a>
      <div className={classes["narrowLine"]}>{second}</div>
    </div>
  );
}

const PLACEHOLDERS = 12;

/** Grey placeholders in the shape of the rows. */
export function Placeholders(props: { height: number; columns: number; tracks: string; label: string }) {
  return (
    <div role="row">
      <div role="gridcell" aria-label={props.label}>
        {Array.from({ length: PLACEHOLDERS }, (_, row) => (
          <div
            key={row}
            className={`${classes["row"]} ${classes["placeholder"]}`}
            style={{ height: props.height, gridTemplateColumns: props.tracks }}
          >
            {Array.from({ length: props.columns }, (_cell, column) => (
              <Bar key={column} width={`${40 + ((row * 7 + column * 13) % 5) * 10}%`} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

export function Head<T>({ columns, tracks }: { columns: readonly Column<T>[]; tracks: string }) {
  return (
    <div className={classes["head"]} role="row" aria-rowindex={1} style={{ gridTemplateColumns: tracks }}>
      {columns.map(({ id, header }) => (
        <div key={id} role="columnheader" className={classes["cell"]}>
          {header}
        </div>
      ))}
    </div>
  );
}
