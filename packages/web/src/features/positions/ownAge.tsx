import { IconClockExclamation } from "@tabler/icons-react";
import { type OwnPlace, placeAgeMs } from "@rollcall/server/contract/positions";
import { useText } from "#core/i18n.ts";
import { shortAge } from "#core/time.ts";
import { useServerNow } from "#ui/small.tsx";
import { OLD } from "./columns.tsx";
import classes from "./positions.module.css";

/** How old the viewer's own place is, where that is worth knowing: others see it as it was. */
export function OwnPlaceAge({ own: { onDuty, hidden, at } }: { readonly own: OwnPlace }) {
  const { t } = useText();
  const now = useServerNow(5_000);
  if (!onDuty || hidden || at === null || now - at <= OLD) return null;
  return (
    <p className={classes["own"]}>
      <IconClockExclamation size={16} aria-hidden />
      <span>{t("positions.ownOld", { age: shortAge(now - at), minutes: placeAgeMs / 60_000 })}</span>
    </p>
  );
}
