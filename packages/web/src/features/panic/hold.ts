import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import { systemClock } from "#core/clock.ts";

/** Milliseconds. */
export const HOLD = 500;

const isPress = ({ key }: KeyboardEvent) => key === "Enter" || key === " ";

/**
 * What a control does once it was held for a moment, by pointer or key. What presses it without either, as assistive
 * technology does, cannot hold it and acts at once. `short`: it was let go too early.
 */
export function useHold(act: () => void, short: () => void) {
  const [held, setHeld] = useState(false);
  const cancel = useRef<(() => void) | null>(null);
  const byHand = useRef(false);
  useEffect(() => () => cancel.current?.(), []);
  const begin = () => {
    if (cancel.current !== null) return;
    byHand.current = true;
    setHeld(true);
    cancel.current = systemClock.after(HOLD, () => {
      cancel.current = null;
      setHeld(false);
      act();
    });
  };
  const stop = (early: boolean) => {
    if (cancel.current === null) return;
    cancel.current();
    cancel.current = null;
    setHeld(false);
    if (early) short();
  };
  const handlers = {
    onPointerDown: begin,
    onPointerUp: () => stop(true),
    onPointerLeave: () => stop(false),
    onPointerCancel: () => stop(false),
    onBlur: () => stop(false),
    onKeyDown: (event: KeyboardEvent) => {
      if (isPress(event) && !event.repeat) begin();
    },
    onKeyUp: (event: KeyboardEvent) => {
      if (isPress(event)) stop(true);
    },
    onClick: ({ detail }: MouseEvent) => {
      const isHand = byHand.current;
      byHand.current = false;
      if (detail === 0 && !isHand) act();
    },
  };
  return { held, handlers };
}
