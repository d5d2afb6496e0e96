import type { ReactNode } from "react";

interface ScrollAreaProps {
  readonly label: string;
  readonly className: string | undefined;
  /** It scrolls to the side too, as a table with more columns than a narrow window can show. */
  readonly sideways?: boolean;
  readonly children: ReactNode;
}

/** A part of the page that scrolls by itself; the keyboard reaches it too. */
export function ScrollArea(props: ScrollAreaProps) {
  return (
    <div
      className={`rc-scroll rc-room ${props.className ?? ""}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without focus the keyboard cannot scroll it
      tabIndex={0}
      role="group"
      aria-label={props.label}
      data-sideways={props.sideways || undefined}
    >
      {props.children}
    </div>
  );
}
