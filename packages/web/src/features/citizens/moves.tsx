import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { auditPermissions, listAudit } from "@rollcall/server/contract/audit";
import { citizensPermissions, listMoves, moveKinds } from "@rollcall/server/contract/citizens";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useLastVisit } from "#core/visits.ts";
import { CardLines, HomeCard, mostLines } from "#ui/homeCard.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { refOf } from "./columns.tsx";

/** Neither has a topic that tells of people who left: they are read this often while the card is shown. Milliseconds. */
const EVERY = 60_000;

/** What changed in the viewer's job since the last visit: its people, and for auditors its roles. */
export default function MovesCard() {
  const { t } = useText();
  const abilities = useAbilities();
  const { character, jobAdmin } = useActiveIdentity();
  const job = jobAdmin?.job ?? character.job.name;
  const from = useLastVisit();
  const reading = { enabled: from !== null, refetchInterval: EVERY };
  const moves = useQuery({ ...queryOf(listMoves, { query: { from: from ?? 0, limit: mostLines } }), ...reading }).data;
  const changes = { action: "access.", result: "ok", job, from: from ?? 0, limit: 1 } as const;
  const roles =
    useQuery({
      ...queryOf(listAudit, { query: changes }),
      ...reading,
      enabled: from !== null && abilities.has(auditPermissions.view),
    }).data?.total ?? 0;
  if (!moves) return null;
  const said = [
    ...moveKinds.flatMap((kind) => (moves.counts[kind] > 0 ? [t(`citizens.moves.${kind}`, { count: moves.counts[kind] })] : [])),
    ...(roles > 0 ? [t("citizens.moves.roles", { count: roles })] : []),
  ];
  if (said.length === 0) return null;
  const mayList = abilities.has(citizensPermissions.list);
  const people = moves.items.map(({ id, at, kind, citizen, gradeLabel }) => ({
    key: id,
    line: (
      <>
        <span>{t(`citizens.moves.line.${kind}`, { name: citizen.name ?? refOf(citizen.id), grade: gradeLabel })}</span>
        <TimeAgo instant={at} />
      </>
    ),
  }));
  const search = { action: "access.", job };
  const link = (
    <Link to="/panel/audit" search={search}>
      {t("citizens.moves.rolesLook")}
    </Link>
  );
  return (
    <HomeCard
      title={t("citizens.moves.title")}
      {...(mayList ? { to: "/citizens", search: { job } } : { to: "/panel/jobs" })}
      action={t(mayList ? "citizens.moves.members" : "citizens.moves.properties")}
      sentence={t("citizens.moves.since", { changes: said.join(", ") })}
    >
      <CardLines lines={roles > 0 ? [...people.slice(0, mostLines - 1), { key: "roles", line: link }] : people} />
    </HomeCard>
  );
}
