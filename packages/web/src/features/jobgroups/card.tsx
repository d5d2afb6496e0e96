import { Link } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { CardLines, HomeCard } from "#ui/homeCard.tsx";
import { useGroups } from "./jobgroups.queries.ts";

/** The groups that the viewer is in or leads; nothing without one. */
export default function JobgroupsCard() {
  const { t } = useText();
  const own = (useGroups().data?.items ?? []).filter((one) => !one.deleted && (one.own || one.leads));
  if (own.length === 0) return null;
  const lines = own.map(({ id, name, leads }) => ({
    key: id,
    line: (
      <>
        <Link to="/groups/$id" params={{ id: String(id) }}>
          {name}
        </Link>
        {leads && <span>{t("jobgroups.leads")}</span>}
      </>
    ),
  }));
  return (
    <HomeCard
      title={t("jobgroups.title")}
      to="/groups"
      action={t("jobgroups.card.open")}
      sentence={t("jobgroups.card.own", { count: own.length })}
    >
      <CardLines lines={lines} />
    </HomeCard>
  );
}
