import { lazy, Suspense, type CSSProperties } from "react";
import { useText } from "#core/i18n.ts";
import type { Absence } from "./absences.queries.ts";
import { kindName } from "./texts.ts";
import classes from "./absences.module.css";

const NamedIcon = lazy(() => import("#ui/namedIcon.tsx"));

/** A kind: its name, beside a dot or an icon in its colour. Nothing where the viewer may not see it. */
export function KindTag({ kind }: Pick<Absence, "kind">) {
  const { t } = useText();
  const name = kindName(t, { kind });
  if (name === null) return null;
  const dot = <span className={classes["dot"]} />;
  return (
    <span className={classes["kind"]} style={{ "--kind": kind?.colour ?? "var(--mantine-color-dimmed)" } as CSSProperties}>
      <span className={classes["sign"]} aria-hidden>
        {kind?.icon == null ? (
          dot
        ) : (
          <Suspense fallback={dot}>
            <NamedIcon name={kind.icon} size={14} otherwise={dot} />
          </Suspense>
        )}
      </span>
      <span>{name}</span>
    </span>
  );
}
