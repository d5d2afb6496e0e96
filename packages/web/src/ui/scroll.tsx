import type { ReactNode } from "react";

/** A part of the page that scrolls by itself; the keyboard reaches it too. */
export function ScrollArea(props: { label: string; className: string | undefined; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without focus the keyboard cannot scroll it
    <div className={`rc-scroll ${props.className ?? ""}`} tabIndex={0} role="group" aria-label={props.label}>
      {props.children}
    </div>
  );
}
