import { useEffect, useImperativeHandle, useRef, type KeyboardEvent } from "react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useElementSize } from "@mantine/hooks";
import { usePreferences, tablet, type Density } from "#core/preferences.ts";
import { useText } from "#core/i18n.ts";
import { useActiveRow, useScrollPosition, type Virtual } from "./grid.hooks.ts";
import type { Column, GridProps } from "./grid.types.ts";
import { ColumnButton, Head, OrderSelect } from "./grid.head.tsx";
import { Cells, NarrowCell, Pick, Placeholders, Row } from "./grid.rows.tsx";
import { columnChoices } from "./listColumns.ts";
import { extendedTo, toggled } from "./listSelection.ts";
import classes from "./grid.module.css";

/** Width below which the columns do not fit. Pixels. */
const NARROW = 520;
/** The track of the checkboxes. */
const PICK = "22px";

interface Layout<T> {
  readonly narrow: boolean;
  /** Of a row, in pixels. */
  readonly height: number;
  readonly columns: readonly Column<T>[];
  /** CSS grid tracks of a row. */
  readonly tracks: string;
}

/** A table of any length: only the visible rows are rendered, pages are loaded while scrolling. */
export function DataGrid<T>(props: GridProps<T>) {
  const { rows, loading, selection, sort, choice } = props;
  const { density } = usePreferences();
  const { ref: frame, width } = useElementSize();
  const narrow = width > 0 && width < NARROW;
  const shown = columnChoices(props.columns, choice.hidden, width).map(({ state }) => state === "shown");
  const columns = props.columns.filter((_, index) => shown[index]);
  const tracks = [...(selection ? [PICK] : []), ...(narrow ? ["minmax(0, 1fr)"] : columns.map(({ track }) => track))].join(" ");
  const layout: Layout<T> = { narrow, height: rowHeight(density, narrow), columns, tracks };
  const picking = selection !== null && selection.selection.ids.size > 0;

  return (
    <div className={classes["frame"]} ref={frame}>
      {narrow && sort !== null && <OrderSelect columns={props.columns} sort={sort} />}
      {!narrow && <ColumnButton columns={props.columns} choice={choice} width={width} />}
      <div
        className={classes["grid"]}
        role="grid"
        aria-label={props.label}
        aria-rowcount={props.more ? -1 : rows.length + 1}
        aria-multiselectable={selection !== null || undefined}
        aria-busy={loading}
        data-picking={picking || undefined}
      >
        <div role="rowgroup" className={narrow ? "rc-hidden" : `rc-scroll ${classes["heads"]}`}>
          <Head
            columns={columns}
            tracks={tracks}
            sort={sort}
            selection={selection}
            order={rows.map(props.rowKey)}
            narrow={narrow}
          />
        </div>
        <Body key={props.rowsKey} props={props} layout={layout} />
      </div>
      <div className={classes["foot"]}>{props.footer}</div>
    </div>
  );
}

/** The rows. Other filters, or another order, begin with a new one, while head and widths stay. */
function Body<T>({ props, layout }: { props: GridProps<T>; layout: Layout<T> }) {
  const { rows, loading } = props;
  const { height, narrow, columns, tracks } = layout;
  const { t } = useText();
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- no React compiler is used here
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
  });
  const { active, setActive, onKey, move } = useActiveRow(props, virtual, scroller);
  useImperativeHandle(props.handle, () => ({ move }));
  useEffect(() => virtual.measure(), [virtual, height]);
  useScrollPosition(props, virtual);

  return (
    <div ref={scroller} role="rowgroup" className={`rc-scroll ${classes["body"]}`}>
      {loading && (
        <Placeholders
          height={height}
          columns={(narrow ? 1 : columns.length) + (props.selection ? 1 : 0)}
          tracks={tracks}
          label={t("web.loading")}
        />
      )}
      {!loading && rows.length === 0 && (
        <div role="row">
          <div role="gridcell">{props.empty}</div>
        </div>
      )}
      <Canvas {...{ props, layout, virtual, active, onKey }} onActive={setActive} />
    </div>
  );
}

interface CanvasProps<T> {
  readonly props: GridProps<T>;
  readonly layout: Layout<T>;
  readonly virtual: Virtual;
  readonly active: number;
  onKey(event: KeyboardEvent): void;
  onActive(index: number): void;
}

/** The visible rows, each at its offset in the full height. */
function Canvas<T>({ props, layout, virtual, active, onKey, onActive }: CanvasProps<T>) {
  const { rows, rowKey, selection: of } = props;
  const { narrow, height, columns, tracks } = layout;
  const select = (index: number, extend: boolean) => {
    onActive(index);
    const order = rows.map(rowKey);
    of?.onChange(extend ? extendedTo(of.selection, order, order[index]!) : toggled(of.selection, order[index]!));
  };
  return (
    <div className={classes["canvas"]} role="presentation" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => {
        const row = rows[index];
        if (row === undefined) return null;
        const id = rowKey(row);
        const named = `row-${id}`;
        const onSelect = (extend: boolean) => select(index, extend);
        const selected = of?.selection.ids.has(id);
        return (
          <Row
            key={id}
            index={index}
            version={props.rowVersion(row)}
            opened={id === props.opened}
            selected={selected}
            focusable={index === active}
            style={{ transform: `translateY(${start}px)`, height, gridTemplateColumns: tracks }}
            onOpen={() => {
              onActive(index);
              props.onOpen(row);
            }}
            onSelect={onSelect}
            onKey={onKey}
          >
            {selected !== undefined && <Pick named={named} selected={selected} onSelect={onSelect} />}
            {narrow ? (
              <NarrowCell lines={props.narrow(row)} href={props.href(row)} named={named} />
            ) : (
              <Cells columns={columns} row={row} href={props.href(row)} named={named} />
            )}
          </Row>
        );
      })}
    </div>
  );
}

function rowHeight(density: Density, narrow: boolean): number {
  if (narrow) return tablet ? 60 : 52;
  if (tablet) return 48;
  return density === "compact" ? 34 : 46;
}
