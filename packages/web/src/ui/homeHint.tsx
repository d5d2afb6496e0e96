import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import classes from "./homeHint.module.css";

/** A card of the home page with one sentence and the page that it is about. */
export function HomeHint({ to, action, children }: { to: string; action: string; children: ReactNode }) {
  return (
    <p className={classes["hint"]}>
      {children} <Link to={to}>{action}</Link>
    </p>
  );
}
