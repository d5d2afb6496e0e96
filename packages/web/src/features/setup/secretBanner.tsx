import { useQuery } from "@tanstack/react-query";
import { IconAlertTriangle } from "@tabler/icons-react";
import { setupSync } from "@rollcall/server/contract/setup";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { NoticeBar } from "#ui/notice.tsx";

/** Changes of config.yaml apply after a restart only. */
const KEPT = 15 * 60_000;

/** Warns config admins of secrets that others can know. */
export default function SecretBanner() {
  const { t } = useText();
  const query = useQuery({ ...queryOf(setupSync, {}), staleTime: KEPT });
  const weak = query.data?.weakSecrets ?? [];
  if (weak.length === 0) return null;
  return (
    <NoticeBar icon={IconAlertTriangle}>
      <span>{t("setup.weakSecrets", { options: weak.join(", ") })}</span>
    </NoticeBar>
  );
}
