import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { useVirtualizer } from "@tanstack/react-virtual";
import classes from "./desk.module.css";

interface Props {
  readonly label: string;
  readonly count: number;
  /** Of one row, in pixels. */
  readonly height: number;
  /** A row may be higher than that. */
  readonly grows?: true;
  /** Where a number key of the desk puts the focus. */
  readonly pane: string;
  onKeyDown?(event: KeyboardEvent<HTMLElement>): void;
  /** A pointer came over the list, also one that drags something, or is gone. */
  onPointer?(over: boolean): void;
  /** What the row with this place is about: it keeps the focus where others come before it. */
  keyOf(at: number): number | string;
  readonly children: (at: number) => ReactNode;
}

/** A list of which only the rows in view are rendered: a bad night has 500 calls. */
export function WindowedList({ label, count, height, pane, onKeyDown, onPointer, keyOf, grows, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is passed to another component
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    getItemKey: keyOf,
    overscan: 8,
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys are those of the buttons inside
    <div
      ref={box}
      className={`rc-scroll ${classes["scroll"]}`}
      role="list"
      aria-label={label}
      data-pane={pane}
      onKeyDown={onKeyDown}
      onPointerEnter={() => onPointer?.(true)}
      onPointerLeave={() => onPointer?.(false)}
      onDragEnter={() => onPointer?.(true)}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) onPointer?.(false);
      }}
      onDrop={() => onPointer?.(false)}
    >
      <div style={{ height: rows.getTotalSize(), position: "relative" }} role="presentation">
        {rows.getVirtualItems().map(({ key, index, start, size }) => (
          <div
            key={String(key)}
            {...(grows ? { ref: rows.measureElement, "data-index": index } : {})}
            role="listitem"
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{
              position: "absolute",
              top: 0,
              left: 0,
              right: 0,
              ...(grows ? {} : { height: size }),
              transform: `translateY(${start}px)`,
            }}
          >
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
