import { useState } from "react";
import { IconFilterExclamation } from "@tabler/icons-react";
import { type Translate, useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { TimeAgo } from "#ui/small.tsx";
import { type Storm, useStorms } from "./calls.queries.ts";
import type { StormDialogProps } from "./stormDialog.tsx";
import classes from "./calls.module.css";

const StormDialog = part<StormDialogProps>(["calls"], () => import("./stormDialog.tsx"));

/** How many alerts wait, and of how many places. */
const suppressed = (t: Translate, { left, places }: Pick<Storm, "left" | "places">) =>
  t("calls.storms.suppressed", {
    alerts: t("calls.storms.alerts", { count: left }),
    places: t("calls.storms.places", { count: places }),
  });

/** A row for each storm of alerts, which opens by hand; nothing where there is none. */
export function StormRows() {
  const { t } = useText();
  const items = useStorms().data?.items ?? [];
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <>
      {items.length > 0 && (
        <ul className={classes["storms"]} aria-label={t("calls.storms.title")}>
          {items.map((storm) => (
            <li key={storm.id}>
              <button
                type="button"
                className={classes["storm"]}
                data-storm={storm.id}
                aria-haspopup="dialog"
                onClick={() => setOpened(storm.id)}
              >
                <IconFilterExclamation size={16} aria-hidden />
                <span>{suppressed(t, storm)}</span>
                <span className={classes["quiet"]}>
                  <TimeAgo instant={storm.lastAlertAt} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {opened !== null && <StormDialog id={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
