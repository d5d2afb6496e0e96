import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import type { Virtualizer } from "@tanstack/react-virtual";
import { systemClock } from "#core/clock.ts";
import { handleKey } from "./grid.keys.ts";
import type { GridProps } from "./grid.types.ts";

export type Virtual = Virtualizer<HTMLDivElement, Element>;

/** The address is updated this long after the last scrolling. Milliseconds. */
const SETTLED = 250;

interface Focus {
  readonly active: number;
  readonly last: number;
  readonly listed: RefObject<boolean>;
  rowElement(index: number): HTMLElement | null | undefined;
}

/** Focuses the row that is wanted, and another when the one with the focus was replaced or removed. */
function useFocus({ active, last, listed, rowElement }: Focus) {
  const wanted = useRef<number | null>(null);
  /** A row gets it as soon as there is one. */
  const waiting = useRef(false);
  const focused = document.activeElement;
  useEffect(() => {
    if (listed.current && focused?.getAttribute("role") === "row" && !focused.isConnected) waiting.current = true;
    if (waiting.current && document.activeElement !== document.body) waiting.current = false;
    else if (waiting.current && last >= 0) {
      waiting.current = false;
      wanted.current = Math.min(active, last);
    }
    // The row may not exist before the list has scrolled to it.
    if (wanted.current === null) return;
    const element = rowElement(wanted.current);
    element?.focus({ preventScroll: true });
    if (element) wanted.current = null;
  });
  return {
    focusOn(index: number) {
      wanted.current = index;
    },
    focusLater: () => void (waiting.current = true),
  };
}

/** The row that the keyboard is on, and how to move it. `listed` says whether the list was drawn before. */
export function useActiveRow<T>(
  props: GridProps<T>,
  virtual: Virtual,
  scroller: RefObject<HTMLDivElement | null>,
  listed: RefObject<boolean>,
) {
  const [active, setActive] = useState(0);
  /** Steps of the open record beyond the rows that are loaded. */
  const beyond = useRef(0);
  const { rows, rowKey, opened, more } = props;
  const last = rows.length - 1;
  const rowElement = (index: number) => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
  const isInside = () => scroller.current?.contains(document.activeElement) ?? false;

  const { focusOn, focusLater } = useFocus({ active, last, listed, rowElement });

  const show = (index: number) => {
    setActive(index);
    virtual.scrollToIndex(index, { align: "auto" });
  };

  const go = (index: number) => {
    const target = Math.max(0, Math.min(index, last));
    focusOn(target);
    show(target);
    rowElement(target)?.focus({ preventScroll: true });
  };

  const openAt = (index: number) => {
    const row = rows[Math.max(0, index)];
    if (row === undefined || rowKey(row) === opened) return;
    if (isInside()) go(index);
    else show(Math.max(0, index));
    props.onOpen(row);
  };

  const moveOpened = (step: number) => {
    const from = rows.findIndex((row) => rowKey(row) === opened);
    const to = from < 0 ? firstVisible(virtual) : from + step;
    if (to <= last) {
      openAt(to);
      return;
    }
    if (!more) return;
    beyond.current = step;
    show(last);
    props.onMore();
  };

  const goOn = useEffectEvent((count: number) => {
    const step = beyond.current;
    beyond.current = 0;
    if (count > 0 && step !== 0 && opened !== null) moveOpened(step);
  });
  useEffect(() => goOn(rows.length), [rows.length]);

  const move = (step: number) => {
    if (last < 0) {
      if (props.loading) focusLater();
      return;
    }
    if (opened !== null && step !== 0) moveOpened(step);
    else if (isInside()) go(active + step);
    else if (opened !== null)
      go(
        Math.max(
          0,
          rows.findIndex((row) => rowKey(row) === opened),
        ),
      );
    else go(firstVisible(virtual));
  };

  const now = Math.min(active, Math.max(0, last));
  const onKey = (event: KeyboardEvent) => handleKey(event, { props, active: now, shown: virtual.getVirtualItems().length, go });
  return { active: now, setActive, onKey, move };
}

function firstVisible(virtual: Virtual): number {
  const offset = virtual.scrollOffset ?? 0;
  return virtual.getVirtualItems().find(({ start }) => start >= offset)?.index ?? 0;
}

/** Loads pages while scrolling, restores the position where the list was left, and keeps it in the address. */
export function useScrollPosition<T>(props: GridProps<T>, virtual: Virtual): void {
  const { rows, loading, more, startAt } = props;
  const { length } = rows;
  const [wanted] = useState(startAt);
  const restored = useRef(wanted === 0);
  const offset = virtual.scrollOffset ?? 0;
  const items = virtual.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  const top = items.find(({ end }) => end > offset)?.index ?? 0;

  useLayoutEffect(() => {
    if (restored.current || loading || (length <= wanted && more)) return;
    if (length > 0) virtual.scrollToIndex(Math.min(wanted, length - 1), { align: "start" });
    restored.current = true;
  }, [loading, length, more, virtual, wanted]);

  const shown = useEffectEvent((first: number, last: number) => props.onShown(first, last));
  useEffect(() => shown(top, lastShown), [top, lastShown]);

  const loadMore = useEffectEvent(() => props.onMore());
  useEffect(() => {
    if (more && (lastShown >= length - 10 || !restored.current)) loadMore();
  }, [more, lastShown, length]);

  const report = useEffectEvent((index: number, count: number) => {
    if (restored.current && !loading && count > 0 && index !== startAt) props.onTop(index);
  });
  useEffect(() => systemClock.after(SETTLED, () => report(top, length)), [top, length]);
}
