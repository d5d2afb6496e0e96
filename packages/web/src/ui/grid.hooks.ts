import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import type { Virtualizer } from "@tanstack/react-virtual";
import { systemClock } from "#core/clock.ts";
import type { GridProps } from "./grid.types.ts";

export type Virtual = Virtualizer<HTMLDivElement, Element>;

/** The address is updated this long after the last scrolling. Milliseconds. */
const SETTLED = 250;

/** The row that the keyboard is on, and how to move it. */
export function useActiveRow<T>(props: GridProps<T>, virtual: Virtual, scroller: RefObject<HTMLDivElement | null>) {
  const [active, setActive] = useState(0);
  const wanted = useRef<number | null>(null);
  const last = props.rows.length - 1;
  const rowElement = (index: number) => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);

  useEffect(() => {
    // The row may not exist before the list has scrolled to it.
    if (wanted.current === null) return;
    const element = rowElement(wanted.current);
    element?.focus({ preventScroll: true });
    if (element) wanted.current = null;
  });

  const go = (index: number) => {
    const target = Math.max(0, Math.min(index, last));
    wanted.current = target;
    setActive(target);
    virtual.scrollToIndex(target, { align: "auto" });
    rowElement(target)?.focus({ preventScroll: true });
  };

  const move = (step: number) => {
    if (last < 0) return;
    const inside = scroller.current?.contains(document.activeElement) ?? false;
    const selected = props.rows.findIndex((row) => props.rowKey(row) === props.selected);
    if (inside) go(active + step);
    else if (selected >= 0) go(selected + step);
    else go(firstVisible(virtual));
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, virtual.getVirtualItems().length - 10);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -active,
      End: last - active,
    };
    const step = steps[event.key];
    const row = props.rows[active];
    if (step !== undefined) go(active + step);
    else if (event.key === "Enter" && row !== undefined && event.target === event.currentTarget) props.onOpen(row);
    else return;
    event.preventDefault();
  };

  return { active: Math.min(active, Math.max(0, last)), setActive, onKey, move };
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
