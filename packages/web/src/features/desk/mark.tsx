import { IconHeadset } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import type { MarkedPerson } from "#core/pages.ts";
import { useDispatchers } from "./desk.queries.ts";
import classes from "./mark.module.css";

/** Beside the name of somebody who is signed on as a dispatcher: also in the list of who is on duty. */
export default function DispatcherMark({ citizenId, job, whole = false }: MarkedPerson) {
  const { t } = useText();
  const found = useDispatchers().data?.items.find((one) => one.id === citizenId && one.job.name === job);
  if (found === undefined) return null;
  return (
    <span className={classes["mark"]} title={t("desk.mark")} data-dispatcher data-whole={whole || undefined}>
      <IconHeadset size={14} aria-hidden />
      <span className={classes["text"]}>{t("desk.mark")}</span>
    </span>
  );
}
