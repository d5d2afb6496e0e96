import { useQuery } from "@tanstack/react-query";
import { IconAlertTriangle } from "@tabler/icons-react";
import { setupSync } from "@rollcall/server/contract/setup";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { NoticeBar } from "#ui/notice.tsx";

/** Changes of config.yaml apply after a restart only. */
const KEPT = 15 * 60_000;

/** Warns config admins that a Sync API token is easy to guess. */
export default function TokenBanner() {
  const { t } = useText();
  const query = useQuery({ ...queryOf(setupSync, {}), staleTime: KEPT });
  const count = query.data?.shortTokens ?? 0;
  if (count === 0) return null;
  return (
    <NoticeBar icon={IconAlertTriangle}>
      <span>{t("setup.shortTokens", { count })}</span>
    </NoticeBar>
  );
}
