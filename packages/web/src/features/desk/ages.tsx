import { type CSSProperties, createContext, type ReactNode, useContext } from "react";
import { shortAge } from "#core/time.ts";
import { useServerNow } from "#ui/small.tsx";
import { waited } from "./order.ts";
import classes from "./desk.module.css";

const Now = createContext(0);

/** Moves the ages inside, and nothing else of what is around them. `every` is in milliseconds. */
export function Ages({ every, children }: { readonly every: number; readonly children: ReactNode }) {
  return <Now value={useServerNow(every)}>{children}</Now>;
}

/** How long something has been as it is. */
export function Age({ since }: { readonly since: number }) {
  return <span className="rc-number">{shortAge(useContext(Now) - since)}</span>;
}

/** Fills towards the wait limit; the age beside it says the same in words. */
export function AgeBar({ since, waitSeconds }: { readonly since: number; readonly waitSeconds: number }) {
  const share = waited(since, waitSeconds, useContext(Now));
  return <span className={classes["age"]} style={{ "--waited": share } as CSSProperties} aria-hidden />;
}
