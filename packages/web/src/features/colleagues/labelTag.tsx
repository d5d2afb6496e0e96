import { lazy, Suspense, type CSSProperties } from "react";
import type { GivenLabel } from "@rollcall/server/contract/colleagues";
import { useText } from "#core/i18n.ts";
import { calendarDay } from "#core/time.ts";
import classes from "./colleagues.module.css";

const NamedIcon = lazy(() => import("#ui/namedIcon.tsx"));

type Shown = Pick<GivenLabel, "name" | "colour" | "icon"> & { readonly until?: string | null };

/** A label: its name, beside a dot or an icon in its colour. */
export function LabelTag({ label, withEnd = false }: { readonly label: Shown; readonly withEnd?: boolean }) {
  const { t, language } = useText();
  const { name, colour, icon, until } = label;
  const dot = <span className={classes["dot"]} />;
  const end = until == null ? null : t("colleagues.until", { day: calendarDay(until, language) });
  return (
    <span className={classes["tag"]} style={{ "--label": colour } as CSSProperties} title={end ?? name}>
      <span className={classes["sign"]} aria-hidden>
        {icon === null ? (
          dot
        ) : (
          <Suspense fallback={dot}>
            <NamedIcon name={icon} size={14} otherwise={dot} />
          </Suspense>
        )}
      </span>
      <span className={classes["tagName"]}>{name}</span>
      {withEnd && end !== null && <span className={classes["quiet"]}>{end}</span>}
    </span>
  );
}

export function LabelTags({ labels, withEnd = false }: { readonly labels: readonly GivenLabel[]; readonly withEnd?: boolean }) {
  return (
    <span className={classes["tags"]}>
      {labels.map((label) => (
        <LabelTag key={label.id} label={label} withEnd={withEnd} />
      ))}
    </span>
  );
}
