import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { deskPanes } from "@rollcall/server/contract/desk";
import { usePreference } from "#core/accountPreferences.ts";
import { clampShare, nextShare } from "./shares.ts";
import classes from "./desk.module.css";

interface Props {
  /** Names the edge in what is remembered of it. */
  readonly id: string;
  readonly direction: "row" | "column";
  /** Of the first pane, in percent, until somebody moves the edge. */
  readonly share: number;
  /** Names the edge for people who do not see it. */
  readonly label: string;
  readonly first: ReactNode;
  readonly second: ReactNode;
}

/**
 * Two panes with an edge that is dragged, moved by the arrow keys, and put back where it began by a double click. Where it
 * stands is remembered for the account.
 */
export function Panes({ id, direction, share, label, first, second }: Props) {
  const { value, change } = usePreference(deskPanes);
  const [dragged, setDragged] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const now = dragged ?? value.sizes[id] ?? share;
  const keep = (size: number) => {
    // A failure is not worth a word: the edge stands where it was put, and is only not remembered.
    void change(({ sizes }) => ({ sizes: { ...sizes, [id]: size } })).catch(() => undefined);
  };
  const at = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = box.current!.getBoundingClientRect();
    return clampShare(direction === "row" ? (clientX - left) / width : (clientY - top) / height);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextShare(now, event.key, direction, share);
    if (next === null) return;
    event.preventDefault();
    keep(next);
  };
  return (
    <div ref={box} className={classes["panes"]} data-direction={direction} style={{ "--share": now } as CSSProperties}>
      <div className={classes["pane"]}>{first}</div>
      <div
        className={classes["edge"]}
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation={direction === "row" ? "vertical" : "horizontal"}
        aria-valuenow={now}
        aria-valuemin={10}
        aria-valuemax={90}
        onKeyDown={onKeyDown}
        onDoubleClick={() => keep(share)}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.focus();
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(now);
        }}
        onPointerMove={(event) => dragged !== null && setDragged(at(event))}
        onPointerUp={() => {
          if (dragged !== null && dragged !== (value.sizes[id] ?? share)) keep(dragged);
          setDragged(null);
        }}
      />
      <div className={classes["pane"]}>{second}</div>
    </div>
  );
}
