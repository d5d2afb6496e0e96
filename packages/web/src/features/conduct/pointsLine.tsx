import type { Points } from "@rollcall/server/contract/conduct";
import { useText } from "#core/i18n.ts";
import classes from "./conduct.module.css";

/** What counts now, by tone. */
export function PointsLine({ points: { negative, positive } }: { readonly points: Points }) {
  const { t } = useText();
  return (
    <p className={`${classes["line"]} ${classes["sum"]}`} data-points>
      <strong>{t("conduct.sum.negative", { count: negative })}</strong>
      <span>{t("conduct.sum.positive", { count: positive })}</span>
    </p>
  );
}
