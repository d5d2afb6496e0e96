import { lazy, Suspense } from "react";
import { useText } from "#core/i18n.ts";
import type { Call } from "./calls.queries.ts";
import classes from "./calls.module.css";

const NamedIcon = lazy(async () => await import("#ui/namedIcon.tsx"));

/** The type of a call with its icon, or that it has none. */
export function TypeTag({ type }: Pick<Call, "type">) {
  const { t } = useText();
  if (type === null) return <span className={classes["quiet"]}>{t("calls.noType")}</span>;
  const { code, name, colour, icon } = type;
  const dot = <span className={classes["dot"]} aria-hidden />;
  return (
    <span className={classes["type"]} style={{ "--type": colour } as never}>
      {icon === null ? (
        dot
      ) : (
        <span className={classes["sign"]} aria-hidden>
          <Suspense fallback={dot}>
            <NamedIcon name={icon} size={15} otherwise={dot} />
          </Suspense>
        </span>
      )}
      <span className={classes["typeName"]} title={`${code} ${name}`}>
        {code} {name}
      </span>
    </span>
  );
}
