import { useQuery } from "@tanstack/react-query";
import { listDeadTasks } from "@rollcall/server/contract/scheduler";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { HomeHint } from "#ui/homeHint.tsx";

/** How many worker tasks failed for good; nothing while none did. */
export default function DeadTasksCard() {
  const { t } = useText();
  const count = useQuery(queryOf(listDeadTasks, { query: {} })).data?.total ?? 0;
  if (count === 0) return null;
  return (
    <HomeHint to="/panel/schedule" action={t("scheduler.dead.look")}>
      {t("scheduler.dead.waiting", { count })}
    </HomeHint>
  );
}
