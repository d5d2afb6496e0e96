import { useText } from "#core/i18n.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { CardLines, HomeCard } from "#ui/homeCard.tsx";
import { useOwnAbsences, useWaitingAbsences } from "./absences.queries.ts";
import { spanText } from "./texts.ts";

/** The own absences that are not over, and how many of others wait for the viewer; nothing without both. */
export default function AbsencesCard() {
  const { t, language } = useText();
  const nameOf = useNamer();
  const { items } = useOwnAbsences();
  const waiting = useWaitingAbsences().data?.items ?? [];
  const own = items.filter(({ may }) => may.includes("cancel")).toSorted((a, b) => (a.firstDay < b.firstDay ? -1 : 1));
  if (own.length === 0 && waiting.length === 0) return null;
  const lines = [
    ...waiting.map(({ id, citizen, ...span }) => ({
      key: id,
      line: (
        <>
          <span>{nameOf(citizen, citizen.job.name)}</span>
          <span>{spanText(t, language, span)}</span>
        </>
      ),
    })),
    ...own.map(({ id, state, ...span }) => ({
      key: id,
      line: (
        <>
          <span>{t("absences.card.own")}</span>
          <span>{spanText(t, language, span)}</span>
          <span>{t(`absences.states.${state}`)}</span>
        </>
      ),
    })),
  ];
  const said = [
    ...(waiting.length > 0 ? [t("absences.card.waiting", { count: waiting.length })] : []),
    ...(own.length > 0 ? [t("absences.card.coming", { count: own.length })] : []),
  ];
  return (
    <HomeCard title={t("absences.title")} to="/absences" action={t("absences.card.open")} sentence={said.join(" ")}>
      <CardLines lines={lines} />
    </HomeCard>
  );
}
