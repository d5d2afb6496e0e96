import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { deskPanes } from "@rollcall/server/contract/desk";
import type { PreferenceOf } from "@rollcall/server/contract/core";
import { usePreference } from "#core/accountPreferences.ts";
import { clampShare, nextShare, toggled } from "./shares.ts";
import classes from "./desk.module.css";

interface Props {
  /** Names the divider in what is remembered of it. */
  readonly id: string;
  readonly direction: "row" | "column";
  /** Of the first pane, in percent, until somebody moves the divider. */
  readonly share: number;
  /** Names the divider for people who do not see it. */
  readonly label: string;
  readonly first: ReactNode;
  readonly second: ReactNode;
}

/** A click moves the pointer so far without meaning it. Pixels. */
const STILL = 3;

/**
 * Two panes with a divider that is dragged or moved by the arrow keys. A double click or Enter collapses the second pane, and
 * again restores it as it was. Both are remembered for the account.
 */
export function Panes({ id, direction, share, label, first, second }: Props) {
  const { value, change } = usePreference(deskPanes);
  const [dragged, setDragged] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const from = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const isCollapsed = value.collapsed?.includes(id) === true && dragged === null;
  const now = dragged ?? value.sizes[id] ?? share;
  const keep = (next: (value: PreferenceOf<typeof deskPanes>) => PreferenceOf<typeof deskPanes>) => {
    // A failure is not worth a word: the panes stand as they were put, and are only not remembered.
    void change(next).catch(() => undefined);
  };
  const keepSize = (size: number) =>
    keep(({ sizes, collapsed = [] }) => ({
      sizes: { ...sizes, [id]: size },
      collapsed: collapsed.filter((one) => one !== id),
    }));
  const toggle = () => keep(({ collapsed, ...rest }) => ({ ...rest, collapsed: toggled(id, collapsed) }));
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    const start = from.current;
    if (start === null || (dragged === null && Math.hypot(clientX - start.x, clientY - start.y) <= STILL)) return;
    const { left, top, width, height } = box.current!.getBoundingClientRect();
    setDragged(clampShare(direction === "row" ? (clientX - left) / width : (clientY - top) / height));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextShare(isCollapsed ? 100 : now, event.key, direction);
    if (next === null && event.key !== "Enter") return;
    event.preventDefault();
    if (next === null) toggle();
    else keepSize(next);
  };
  return (
    <div
      ref={box}
      className={classes["panes"]}
      data-direction={direction}
      style={{ "--share": isCollapsed ? 100 : now } as CSSProperties}
    >
      <div className={classes["pane"]}>{first}</div>
      <div
        className={classes["edge"]}
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation={direction === "row" ? "vertical" : "horizontal"}
        aria-valuenow={isCollapsed ? 100 : now}
        aria-valuemin={10}
        aria-valuemax={100}
        onKeyDown={onKeyDown}
        onDoubleClick={toggle}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.focus();
          event.currentTarget.setPointerCapture(event.pointerId);
          from.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          from.current = null;
          if (dragged !== null) keepSize(dragged);
          setDragged(null);
        }}
      />
      <div className={classes["pane"]} hidden={isCollapsed} data-collapsed={isCollapsed || undefined}>
        {second}
      </div>
    </div>
  );
}
