import { useQuery } from "@tanstack/react-query";
import { listOwnVehicles, ownVehiclesTopic } from "@rollcall/server/contract/vehicles";
import { useActiveIdentity } from "#core/abilities.ts";
import { type Translate, useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { calendarDay } from "#core/time.ts";
import { HomeCard } from "#ui/homeCard.tsx";
import { Facts, JobTag, Plate } from "#ui/small.tsx";
import { refOf } from "./columns.tsx";
import { useCitizen } from "./citizens.queries.ts";
import classes from "./citizens.module.css";

/** As many are named; of the others the number is said. */
const MOST_NAMED = 4;

/** What the city knows of the viewer's own character. */
export default function OwnRecordCard() {
  const { t, language } = useText();
  const { id } = useActiveIdentity().character;
  const { citizen } = useCitizen(id);
  const vehicles = useQuery(queryOf(listOwnVehicles, { query: { limit: MOST_NAMED } })).data;
  useFollow(ownVehiclesTopic, id);
  if (!citizen) return null;
  const { dateOfBirth, job, phoneNumber, licences = [] } = citizen;
  const facts = [
    { label: t("citizens.columns.dateOfBirth"), value: dateOfBirth && calendarDay(dateOfBirth, language) },
    { label: t("citizens.columns.job"), value: job && <JobTag job={job} /> },
    { label: t("citizens.columns.phone"), value: phoneNumber ?? t("citizens.own.none") },
    {
      label: t("citizens.sections.licences"),
      value: named(
        t,
        licences.map(({ type, label }) => label || type),
      ),
    },
    {
      label: t("citizens.own.vehicles"),
      value: vehicles && (
        <span className={classes["plates"]}>
          {vehicles.items.map(({ id: vehicle, plate }) => (
            <Plate key={vehicle} plate={plate} />
          ))}
          {vehicles.total === 0 && t("citizens.own.none")}
          {vehicles.total > vehicles.items.length && t("citizens.own.more", { count: vehicles.total - vehicles.items.length })}
        </span>
      ),
    },
  ];
  return (
    <HomeCard
      title={t("citizens.own.title")}
      to={`/citizens/${id}`}
      action={t("citizens.own.open")}
      sentence={t("citizens.own.sentence", { ref: refOf(id) })}
    >
      <Facts facts={facts} />
    </HomeCard>
  );
}

function named(t: Translate, all: readonly string[]): string {
  if (all.length === 0) return t("citizens.own.none");
  const more = all.length - MOST_NAMED;
  return [...all.slice(0, MOST_NAMED), ...(more > 0 ? [t("citizens.own.more", { count: more })] : [])].join(", ");
}
