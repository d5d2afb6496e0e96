import { callsPermissions } from "@rollcall/server/contract/calls";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { CardLines, HomeCard } from "#ui/homeCard.tsx";
import { CallAge, PriorityMark } from "./age.tsx";
import { useOwnCalls, usePresentCalls } from "./calls.queries.ts";

/** Open calls of the own job, the most urgent first; for others, their own. Nothing without one. */
export default function CallsCard() {
  const { t } = useText();
  const isOfJob = useAbilities().has(callsPermissions.view);
  const present = usePresentCalls().data;
  const own = useOwnCalls().data?.items ?? [];
  const items = (isOfJob ? (present?.items ?? []) : own).filter(({ state }) => state === "open");
  if (items.length === 0) return null;
  const waitSeconds = present?.waitSeconds ?? Number.POSITIVE_INFINITY;
  const count = isOfJob ? (present?.open ?? items.length) : items.length;
  const lines = items.map((call) => ({
    key: call.id,
    line: (
      <>
        <PriorityMark priority={call.priority} />
        <span>{call.message}</span>
        <CallAge call={call} waitSeconds={waitSeconds} />
      </>
    ),
  }));
  return (
    <HomeCard
      title={t("calls.title")}
      to="/calls"
      action={t("calls.card.open")}
      sentence={t(isOfJob ? "calls.card.sentence" : "calls.card.own", { count })}
    >
      <CardLines lines={lines} />
    </HomeCard>
  );
}
