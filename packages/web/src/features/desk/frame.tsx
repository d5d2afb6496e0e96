import type { ReactNode } from "react";
import classes from "./desk.module.css";

interface Props {
  readonly title: string;
  /** How much is in it. */
  readonly head: ReactNode;
  readonly children: ReactNode;
}

/** One pane with its name. */
export function Frame({ title, head, children }: Props) {
  return (
    <section className={classes["frame"]} aria-label={title}>
      <div className={classes["head"]}>
        <h2>{title}</h2>
        <span className={classes["quiet"]}>{head}</span>
      </div>
      {children}
    </section>
  );
}
