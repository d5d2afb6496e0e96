import { useDeferredValue, useEffect, useImperativeHandle, useMemo, useRef, type KeyboardEvent, type RefObject } from "react";
import { elementScroll, useVirtualizer, type VirtualizerOptions } from "@tanstack/react-virtual";
import { usePreferences, tablet, type Density } from "#core/preferences.ts";
import { useText } from "#core/i18n.ts";
import { useActiveRow, useScrollPosition, type Virtual } from "./grid.hooks.ts";
import type { Column, GridProps } from "./grid.types.ts";
import { ColumnButton, Head, OrderSelect } from "./grid.head.tsx";
import { Line, Placeholders } from "./grid.rows.tsx";
import { useLatest } from "./latest.ts";
import { columnChoices } from "./listColumns.ts";
import { allOf, extendedTo, nothingSelected, toggled } from "./listSelection.ts";
import { useWidth } from "./width.ts";
import classes from "./grid.module.css";

/** Width below which the columns do not fit. Pixels. */
const NARROW = 520;
const isNarrow = (width: number) => width < NARROW;
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
  // Many rows that arrive at once are drawn in small steps: a click or a key does not wait for them.
  const rows = useDeferredValue(props.rows);
  const loading = useDeferredValue(props.loading);
  // Beside rows that are not drawn yet, it would ask for the next page at once.
  const more = useDeferredValue(props.more);
  return <Grid {...props} rows={rows} loading={loading} more={more} />;
}

function Grid<T>(props: GridProps<T>) {
  const { rows, loading, selection, sort, choice } = props;
  const { density } = usePreferences();
  const { ref: frame, width } = useWidth<HTMLDivElement>(isNarrow);
  const narrow = isNarrow(width);
  const listed = useRef(false);
  useEffect(() => void (listed.current = true), []);
  const shown = columnChoices(props.columns, choice.hidden, width)
    .flatMap(({ state }, index) => (state === "shown" ? [index] : []))
    .join(" ");
  // The same columns keep their identity: a row is only drawn again for others.
  const columns = useMemo(
    () => props.columns.filter((_, index) => shown.split(" ").includes(`${index}`)),
    [props.columns, shown],
  );
  const tracks = [...(selection ? [PICK] : []), ...(narrow ? ["minmax(0, 1fr)"] : columns.map(({ track }) => track))].join(" ");
  const layout: Layout<T> = { narrow, height: rowHeight(density, narrow), columns, tracks };
  const picking = selection !== null && selection.selection.ids.size > 0;
  const { onAll } = useLatest({
    onAll: (all: boolean) => selection?.onChange(all ? allOf(rows.map(props.rowKey)) : nothingSelected),
  });

  return (
    <div className={classes["frame"]} data-tablet={tablet} ref={frame}>
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
            selected={selection?.selection.ids.size ?? null}
            count={rows.length}
            onAll={onAll}
            narrow={narrow}
          />
        </div>
        <Body key={props.rowsKey} props={props} layout={layout} listed={listed} />
      </div>
      <div className={classes["foot"]}>{props.footer}</div>
    </div>
  );
}

interface BodyProps<T> {
  readonly props: GridProps<T>;
  readonly layout: Layout<T>;
  readonly listed: RefObject<boolean>;
}

/** The rows. Other filters, or another order, begin with a new one, while head and widths stay. */
function Body<T>({ props, layout, listed }: BodyProps<T>) {
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
    observeElementRect: observeSize,
    scrollToFn: scrollUnlessThere,
    initialRect: { width: 0, height: innerHeight },
  });
  const { active, setActive, onKey, move } = useActiveRow(props, virtual, scroller, listed);
  useImperativeHandle(props.handle, () => ({ move }));
  const measured = useRef(height);
  useEffect(() => {
    // The first rows have the right height already.
    if (measured.current === height) return;
    measured.current = height;
    virtual.measure();
  }, [virtual, height]);
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

/**
 * The size of the box that scrolls, once the browser has laid it out; until then it is taken for as high as the window.
 * To ask for it at once would lay out the page while it is being drawn.
 */
function observeSize({ scrollElement }: Virtual, onSize: (size: { width: number; height: number }) => void) {
  if (scrollElement === null) return undefined;
  const observer = new ResizeObserver(([entry]) => {
    const { width, height } = entry!.contentRect;
    onSize({ width: Math.round(width), height: Math.round(height) });
  });
  observer.observe(scrollElement);
  return () => observer.disconnect();
}

/** Not to the top, where a new list is: the browser would lay the page out to do nothing. */
const scrollUnlessThere: VirtualizerOptions<HTMLDivElement, Element>["scrollToFn"] = (offset, options, virtual) => {
  if (offset + (options.adjustments ?? 0) !== 0 || virtual.scrollOffset) elementScroll(offset, options, virtual);
};

interface CanvasProps<T> {
  readonly props: GridProps<T>;
  readonly layout: Layout<T>;
  readonly virtual: Virtual;
  readonly active: number;
  onKey(event: KeyboardEvent): void;
  onActive(index: number): void;
}

/** The visible rows, each at its offset in the full height. Rows that did not change are not drawn again. */
function Canvas<T>({ props, layout, virtual, active, onKey, onActive }: CanvasProps<T>) {
  const { rows, rowKey, selection: of } = props;
  const { narrow, height, columns, tracks } = layout;
  const actions = useLatest({
    onOpen(index: number) {
      onActive(index);
      props.onOpen(rows[index]!);
    },
    onSelect(index: number, extend: boolean) {
      onActive(index);
      const order = rows.map(rowKey);
      of?.onChange(extend ? extendedTo(of.selection, order, order[index]!) : toggled(of.selection, order[index]!));
    },
    onKey,
  });
  return (
    <div className={classes["canvas"]} role="presentation" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => {
        const row = rows[index];
        if (row === undefined) return null;
        const id = rowKey(row);
        return (
          <Line
            key={id}
            id={id}
            row={row}
            index={index}
            version={props.rowVersion(row)}
            href={props.href(row)}
            opened={id === props.opened}
            selected={of?.selection.ids.has(id)}
            focusable={index === active}
            start={start}
            height={height}
            tracks={tracks}
            columns={columns}
            narrow={narrow ? props.narrow : null}
            actions={actions}
          />
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
