import { useEffect, useImperativeHandle, useRef, type KeyboardEvent } from "react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useElementSize } from "@mantine/hooks";
import { usePreferences, tablet, type Density } from "#core/preferences.ts";
import { useText } from "#core/i18n.ts";
import { useActiveRow, useScrollPosition, type Virtual } from "./grid.hooks.ts";
import type { Column, GridProps } from "./grid.types.ts";
import { Cells, Head, NarrowCell, Placeholders, Row } from "./grid.rows.tsx";
import classes from "./grid.module.css";

/** Width below which the columns do not fit. Pixels. */
const NARROW = 520;

/** A table of any length: only the visible rows are rendered, pages are loaded while scrolling. */
export function DataGrid<T>(props: GridProps<T>) {
  const { rows, loading } = props;
  const { t } = useText();
  const { density } = usePreferences();
  const { ref: frame, width } = useElementSize();
  const scroller = useRef<HTMLDivElement>(null);
  const narrow = width > 0 && width < NARROW;
  const height = rowHeight(density, narrow);
  const columns = props.columns.filter(({ from }) => !from || width >= from);
  const tracks = columns.map(({ track }) => track).join(" ");
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

  const open = (row: T, index: number) => {
    setActive(index);
    props.onOpen(row);
  };

  return (
    <div className={classes["frame"]} ref={frame}>
      <div
        className={classes["grid"]}
        role="grid"
        aria-label={props.label}
        aria-rowcount={props.more ? -1 : rows.length + 1}
        aria-busy={loading}
      >
        <div role="rowgroup" className={narrow ? "rc-hidden" : undefined}>
          <Head columns={columns} tracks={tracks} />
        </div>
        <div ref={scroller} role="rowgroup" className={`rc-scroll ${classes["body"]}`}>
          {loading && (
            <Placeholders
              height={height}
              columns={narrow ? 1 : columns.length}
              tracks={narrow ? "1fr" : tracks}
              label={t("web.loading")}
            />
          )}
          {!loading && rows.length === 0 && (
            <div role="row">
              <div role="gridcell">{props.empty}</div>
            </div>
          )}
          <Canvas {...{ props, virtual, active, narrow, height, columns, tracks, onKey }} onOpen={open} />
        </div>
      </div>
      <div className={classes["foot"]}>{props.footer}</div>
    </div>
  );
}

interface CanvasProps<T> {
  readonly props: GridProps<T>;
  readonly virtual: Virtual;
  readonly active: number;
  readonly narrow: boolean;
  readonly height: number;
  readonly columns: readonly Column<T>[];
  readonly tracks: string;
  onKey(event: KeyboardEvent): void;
  onOpen(row: T, index: number): void;
}

/** The visible rows, each at its offset in the full height. */
function Canvas<T>({ props, virtual, active, narrow, height, columns, tracks, onKey, onOpen }: CanvasProps<T>) {
  return (
    <div className={classes["canvas"]} role="presentation" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => {
        const row = props.rows[index];
        if (row === undefined) return null;
        const position = { transform: `translateY(${start}px)`, height };
        return (
          <Row
            key={props.rowKey(row)}
            index={index}
            version={props.rowVersion(row)}
            selected={props.rowKey(row) === props.selected}
            focusable={index === active}
            narrow={narrow}
            style={narrow ? position : { ...position, gridTemplateColumns: tracks }}
            onOpen={() => onOpen(row, index)}
            onKey={onKey}
          >
            {narrow ? (
              <NarrowCell lines={props.narrow(row)} href={props.href(row)} />
            ) : (
              <Cells columns={columns} row={row} href={props.href(row)} />
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
