import { useText } from "#core/i18n.ts";
import { HomeHint } from "#ui/homeHint.tsx";
import { useWaitingCount } from "./approvals.queries.ts";

/** How many requests wait for the viewer; nothing while none does. */
export default function ApprovalsHint() {
  const { t } = useText();
  const count = useWaitingCount();
  if (count === 0) return null;
  return (
    <HomeHint to="/approvals" action={t("web.places.approvalsLook")}>
      {t("web.places.approvalsWaiting", { count })}
    </HomeHint>
  );
}
