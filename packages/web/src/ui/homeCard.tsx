import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import classes from "./homeCard.module.css";

/** At most this many lines; what else there is, the page behind the action shows. */
export const mostLines = 5;

/** A card of the home page: its name, one sentence, a few lines, and the one thing to do. */
export function HomeCard(props: {
  readonly title: string;
  /** Address and name of the action. */
  readonly to: string;
  readonly search?: Record<string, string>;
  readonly action: string;
  readonly sentence: ReactNode;
  readonly children?: ReactNode;
}) {
  const { title, to, search, action, sentence, children } = props;
  return (
    <section className={classes["card"]} aria-label={title}>
      <div className={classes["head"]}>
        <h2>{title}</h2>
        <Link to={to} {...(search ? { search } : {})}>
          {action}
        </Link>
      </div>
      <p>{sentence}</p>
      {children}
    </section>
  );
}

interface Lines {
  readonly lines: readonly { readonly key: string | number; readonly line: ReactNode }[];
  /** Also more than usual: the sentence says how many there are. */
  readonly all?: boolean;
}

/** The lines of a card; a key and the content of each. */
export function CardLines({ lines, all = false }: Lines) {
  if (lines.length === 0) return null;
  return (
    <ul className={classes["lines"]}>
      {(all ? lines : lines.slice(0, mostLines)).map(({ key, line }) => (
        <li key={key}>{line}</li>
      ))}
    </ul>
  );
}
