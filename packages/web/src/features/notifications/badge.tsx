import { useText } from "#core/i18n.ts";
import { Badge } from "#ui/badge.tsx";
import { useUnread } from "./notifications.queries.ts";

export function NotificationsBadge() {
  const { t } = useText();
  const unread = useUnread();
  return <Badge count={unread} label={t("notifications.bell", { count: unread })} />;
}
