import { useQuery } from "@tanstack/react-query";
import { systemStatus } from "@rollcall/server/contract/system";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { HomeHint } from "#ui/homeHint.tsx";

/** How many components do not work as they should; nothing while all do. */
export default function StatusCard() {
  const { t } = useText();
  const { data } = useQuery(queryOf(systemStatus, {}));
  const count = data?.parts.filter(({ state }) => state !== "ok").length ?? 0;
  if (count === 0) return null;
  return (
    <HomeHint to="/panel/status" action={t("system.card.look")}>
      {t("system.card.broken", { count })}
    </HomeHint>
  );
}
