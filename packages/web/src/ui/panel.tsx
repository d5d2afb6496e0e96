import type { ReactNode } from "react";
import { ScrollArea } from "./scroll.tsx";
import classes from "./panel.module.css";

/** A page of the control panel or the account: a title, what it is for, and sections below. */
export function PanelPage(props: { title: string; lead: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <ScrollArea className={classes["page"]} label={props.title}>
      <div className={classes["inner"]}>
        <header className={classes["head"]}>
          <div>
            <h1>{props.title}</h1>
            <p>{props.lead}</p>
          </div>
          {props.actions}
        </header>
        {props.children}
      </div>
    </ScrollArea>
  );
}

export function PanelSection(props: { title: string; lead?: string; children: ReactNode }) {
  return (
    <section className={classes["section"]}>
      <h2>{props.title}</h2>
      {props.lead !== undefined && <p className={classes["lead"]}>{props.lead}</p>}
      <div className={classes["fields"]}>{props.children}</div>
    </section>
  );
}
