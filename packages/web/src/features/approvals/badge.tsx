import { useText } from "#core/i18n.ts";
import { Badge } from "#ui/badge.tsx";
import { useWaitingCount } from "./approvals.queries.ts";

export function ApprovalsBadge() {
  const { t } = useText();
  const count = useWaitingCount();
  return <Badge count={count} label={t("web.places.approvalsWaiting", { count })} />;
}
