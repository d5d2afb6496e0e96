import { memo, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import { useText } from "#core/i18n.ts";
import type { Column } from "./grid.types.ts";
import { Bar } from "./states.tsx";
import classes from "./grid.module.css";

/** What is done with a row, by its index; the same functions as long as the list is open. */
export interface RowActions {
  onOpen(index: number): void;
  /** Selects the row, or extends the selection to it. */
  onSelect(index: number, extend: boolean): void;
  onKey(event: KeyboardEvent): void;
}

interface LineProps<T> {
  readonly id: number;
  readonly row: T;
  readonly index: number;
  readonly version: number;
  readonly href: string | null;
  /** The record is open beside the list. */
  readonly opened: boolean;
  /** Undefined where rows cannot be selected. */
  readonly selected: boolean | undefined;
  readonly focusable: boolean;
  /** Offset in the full height, and the height of a row. Pixels. */
  readonly start: number;
  readonly height: number;
  /** CSS grid tracks. */
  readonly tracks: string;
  readonly columns: readonly Column<T>[];
  /** Null where there is room for columns. */
  readonly narrow: ((row: T) => readonly [first: ReactNode, second: ReactNode]) | null;
  readonly actions: RowActions;
}

function PlainLine<T>({ row, narrow, ...props }: LineProps<T>) {
  const { selected, href } = props;
  const named = `row-${props.id}`;
  return (
    <Row {...props}>
      {selected !== undefined && <Pick named={named} selected={selected} />}
      {narrow ? (
        <NarrowCell lines={narrow(row)} href={href} named={named} />
      ) : (
        <Cells columns={props.columns} row={row} href={href} named={named} />
      )}
    </Row>
  );
}

/** One row, drawn again only when something in it changed. */
export const Line = memo(PlainLine) as typeof PlainLine;

type RowProps = Omit<LineProps<never>, "row" | "narrow" | "columns"> & { readonly children: ReactNode };

/** It lights up once when live data changes it. */
function Row(props: RowProps) {
  const [first] = useState(props.version);
  const { index, selected, actions } = props;
  const onClick = (event: MouseEvent) => {
    const { metaKey, ctrlKey, shiftKey, button } = event;
    if (button !== 0) return;
    if (isPick(event)) {
      actions.onSelect(index, shiftKey);
      return;
    }
    // A link opens in a new tab.
    const another = (metaKey || ctrlKey) && (event.target as Element).closest("a") !== null;
    if (selected !== undefined && (metaKey || ctrlKey || shiftKey) && !another) {
      event.preventDefault();
      actions.onSelect(index, shiftKey);
    } else if (!metaKey && !ctrlKey && !shiftKey) {
      event.preventDefault();
      actions.onOpen(index);
    }
  };
  const onMouseDown = (event: MouseEvent<HTMLElement>) => {
    const pick = isPick(event);
    // Otherwise the browser marks the text between two clicks, or gives the focus to the checkbox.
    if (pick || (selected !== undefined && event.shiftKey)) event.preventDefault();
    if (pick) event.currentTarget.focus({ preventScroll: true });
  };
  const names = [classes["row"], props.version !== first && classes["fresh"]];
  return (
    <div
      role="row"
      data-index={index}
      data-closed={props.href === null || undefined}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-current={props.opened || undefined}
      tabIndex={props.focusable ? 0 : -1}
      className={names.filter(Boolean).join(" ")}
      style={{ transform: `translateY(${props.start}px)`, height: props.height, gridTemplateColumns: props.tracks }}
      onMouseDown={onMouseDown}
      onClick={onClick}
      onKeyDown={actions.onKey}
    >
      {props.children}
    </div>
  );
}

interface PickProps {
  /** Names the row: the id of the element with its name. */
  readonly named: string;
  readonly selected: boolean;
}

const isPick = ({ target }: MouseEvent) => (target as Element).closest(`.${classes["pick"]}`) !== null;

/** The checkbox of a row, which the row reacts to. The keyboard selects with Space on the row. */
function Pick({ named, selected }: PickProps) {
  const { t } = useText();
  const id = `${named}-pick`;
  return (
    <div role="gridcell" className={classes["pick"]}>
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
  readonly href: string | null;
  readonly named: string;
}

function Cells<T>({ columns, row, href, named }: CellsProps<T>) {
  return columns.map((column, index) => (
    <div key={column.id} role="gridcell" className={`${classes["cell"]} ${column.numeric ? classes["number"] : ""}`}>
      {index === 0 ? (
        <Name id={named} href={href} className={classes["link"]}>
          {column.cell(row)}
        </Name>
      ) : (
        column.cell(row)
      )}
    </div>
  ));
}

interface NameProps {
  readonly id: string;
  readonly href: string | null;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** What names a row, and leads to its record if it has one. */
function Name({ id, href, className, children }: NameProps) {
  if (href === null)
    return (
      <span id={id} className={className}>
        {children}
      </span>
    );
  return (
    <a id={id} href={href} className={className} tabIndex={-1}>
      {children}
    </a>
  );
}

interface NarrowCellProps {
  readonly lines: readonly [first: ReactNode, second: ReactNode];
  readonly href: string | null;
  readonly named: string;
}

function NarrowCell({ lines: [first, second], href, named }: NarrowCellProps) {
  return (
    <div role="gridcell" className={`${classes["cell"]} ${classes["lines"]}`}>
      <Name id={named} href={href} className={`${classes["link"]} ${classes["narrowLine"]}`}>
        {first}
      </Name>
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
