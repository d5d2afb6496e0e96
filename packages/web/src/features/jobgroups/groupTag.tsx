import { lazy, Suspense, type CSSProperties } from "react";
import type { Group } from "@rollcall/server/contract/jobgroups";
import classes from "./jobgroups.module.css";

const NamedIcon = lazy(() => import("#ui/namedIcon.tsx"));

/** A group: its name beside a dot or an icon in its colour, and its short name. */
export function GroupTag({
  group: { name, short, colour, icon },
}: {
  readonly group: Pick<Group, "name" | "short" | "colour" | "icon">;
}) {
  const dot = <span className={classes["dot"]} />;
  return (
    <span className={classes["tag"]} style={{ "--group": colour } as CSSProperties}>
      <span className={classes["sign"]} aria-hidden>
        {icon === null ? (
          dot
        ) : (
          <Suspense fallback={dot}>
            <NamedIcon name={icon} size={15} otherwise={dot} />
          </Suspense>
        )}
      </span>
      <span className={classes["name"]}>{name}</span>
      {short !== name && <span className={classes["quiet"]}>{short}</span>}
    </span>
  );
}
