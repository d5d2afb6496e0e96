import { useState, type CSSProperties, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import { useText } from "#core/i18n.ts";
import type { Column } from "./grid.types.ts";
import { Bar } from "./states.tsx";
import classes from "./grid.module.css";

export interface RowProps {
  readonly index: number;
  readonly version: number;
  /** The record is open beside the list. */
  readonly opened: boolean;
  /** Undefined where rows cannot be selected. */
  readonly selected: boolean | undefined;
  readonly focusable: boolean;
  readonly style: CSSProperties;
  onOpen(): void;
  /** Selects the row, or extends the selection to it. */
  onSelect(extend: boolean): void;
  onKey(event: KeyboardEvent): void;
  readonly children: ReactNode;
}

/** One row. It lights up once when live data changes it. */
export function Row(props: RowProps) {
  const [first] = useState(props.version);
  const { selected } = props;
  const onClick = (event: MouseEvent) => {
    const { metaKey, ctrlKey, shiftKey, button } = event;
    if (button !== 0) return;
    // A link opens in a new tab.
    const another = (metaKey || ctrlKey) && (event.target as Element).closest("a") !== null;
    if (selected !== undefined && (metaKey || ctrlKey || shiftKey) && !another) {
      event.preventDefault();
      props.onSelect(shiftKey);
    } else if (!metaKey && !ctrlKey && !shiftKey) {
      event.preventDefault();
      props.onOpen();
    }
  };
  const names = [classes["row"], props.version !== first && classes["fresh"]];
  return (
    <div
      role="row"
      data-index={props.index}
      aria-rowindex={props.index + 2}
      aria-selected={selected}
      aria-current={props.opened || undefined}
      tabIndex={props.focusable ? 0 : -1}
      className={names.filter(Boolean).join(" ")}
      style={props.style}
      // Otherwise the browser marks the text between two clicks.
      onMouseDown={(event) => selected !== undefined && event.shiftKey && event.preventDefault()}
      onClick={onClick}
      onKeyDown={props.onKey}
    >
      {props.children}
    </div>
  );
}

interface PickProps {
  /** Names the row: the id of the element with its name. */
  readonly named: string;
  readonly selected: boolean;
  onSelect(extend: boolean): void;
}

/** The checkbox of a row. The keyboard selects with Space on the row. */
export function Pick({ named, selected, onSelect }: PickProps) {
  const { t } = useText();
  const id = `${named}-pick`;
  return (
    <div
      role="gridcell"
      className={classes["pick"]}
      onMouseDown={(event) => {
        event.preventDefault();
        event.currentTarget.closest<HTMLElement>("[role=row]")?.focus({ preventScroll: true });
      }}
      onClick={(event) => {
        event.stopPropagation();
        onSelect(event.shiftKey);
      }}
    >
      <input
        id={id}
        type="checkbox"
        tabIndex={-1}
        aria-label={t("web.select.one")}
        aria-labelledby={`${id} ${named}`}
        checked={selected}
        readOnly
      />
    </div>
  );
}

interface CellsProps<T> {
  readonly columns: readonly Column<T>[];
  readonly row: T;
  readonly href: string;
  readonly named: string;
}

export function Cells<T>({ columns, row, href, named }: CellsProps<T>) {
  return columns.map((column, index) => (
    <div key={column.id} role="gridcell" className={`${classes["cell"]} ${column.numeric ? classes["number"] : ""}`}>
      {index === 0 ? (
        <a id={named} href={href} className={classes["link"]} tabIndex={-1}>
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
  readonly named: string;
}

export function NarrowCell({ lines: [first, second], href, named }: NarrowCellProps) {
  return (
    <div role="gridcell" className={`${classes["cell"]} ${classes["lines"]}`}>
      <a id={named} href={href} className={`${classes["link"]} ${classes["narrowLine"]}`} tabIndex={-1}>
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
