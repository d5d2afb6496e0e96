import { useEffect, useRef, type ReactNode } from "react";

interface ScrollAreaProps {
  readonly label: string;
  readonly className: string | undefined;
  /** It scrolls to the side too, as a table with more columns than a narrow window can show. */
  readonly sideways?: boolean;
  readonly children: ReactNode;
}

/** A part of the page that scrolls by itself; the keyboard reaches it too. A table of days begins with today in view. */
export function ScrollArea(props: ScrollAreaProps) {
  const { sideways } = props;
  const box = useRef<HTMLDivElement>(null);
  // At first only: afterwards it stays where somebody scrolled it.
  useEffect(() => {
    const today = sideways ? box.current?.querySelector("[aria-current=date]") : null;
    if (!box.current || !today) return;
    const [shown, area] = [today.getBoundingClientRect(), box.current.getBoundingClientRect()];
    box.current.scrollLeft += shown.left - area.left - (area.width - shown.width) / 2;
  }, [sideways]);
  return (
    <div
      ref={box}
      className={`rc-scroll rc-room ${props.className ?? ""}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without focus the keyboard cannot scroll it
      tabIndex={0}
      role="group"
      aria-label={props.label}
      data-sideways={sideways || undefined}
    >
      {props.children}
    </div>
  );
}
