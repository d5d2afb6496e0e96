import { Link } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { useWaitingCount } from "./approvals.queries.ts";
import classes from "./approvals.module.css";

/** How many requests wait for the viewer; nothing while none does. */
export default function ApprovalsHint() {
  const { t } = useText();
  const count = useWaitingCount();
  if (count === 0) return null;
  return (
    <p className={classes["hint"]}>
      {t("web.places.approvalsWaiting", { count })} <Link to="/approvals">{t("web.places.approvalsLook")}</Link>
    </p>
  );
}
