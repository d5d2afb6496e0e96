import { useText } from "#core/i18n.ts";
import { CardLines, HomeCard } from "#ui/homeCard.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { useOwnEntries } from "./conduct.queries.ts";

/** The entries that the viewer is asked to acknowledge; nothing without one. */
export default function ConductCard() {
  const { t } = useText();
  const { first, items } = useOwnEntries();
  if (first === undefined || first.waiting === 0) return null;
  const waiting = items.filter(({ may }) => may.includes("acknowledge"));
  const lines = waiting.map(({ id, kind, releasedAt, createdAt }) => ({
    key: id,
    line: (
      <>
        <span>{kind.name}</span>
        <TimeAgo instant={releasedAt ?? createdAt} />
      </>
    ),
  }));
  return (
    <HomeCard
      title={t("conduct.title")}
      to="/conduct/mine"
      action={t("conduct.card.open")}
      sentence={t("conduct.card.waiting", { count: first.waiting })}
    >
      <CardLines lines={lines} />
    </HomeCard>
  );
}
