import { useEffect, type ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { IconCarOff } from "@tabler/icons-react";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { vehiclesPermissions } from "@rollcall/server/contract/vehicles";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { rememberRecent } from "#core/recent.ts";
import { RecordHistory } from "#features/audit/audit.api.ts";
import { FieldHint } from "#ui/fieldHint.tsx";
import { CopyText } from "#ui/copy.tsx";
import { DetailStates } from "#ui/detailStates.tsx";
import { Facts, JobTag, Plate, Section, TimeAgo } from "#ui/small.tsx";
import { RecordActions } from "#ui/recordActions.tsx";
import { DetailPane } from "#ui/split.tsx";
import { EmptyState } from "#ui/states.tsx";
import { typeText } from "./columns.tsx";
import { useVehicle, type Vehicle } from "./vehicles.queries.ts";
import classes from "./vehicles.module.css";

const WIDTHS = ["60%", "45%", "70%"];

export function VehicleDetails({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const { query, vehicle, deleted, listed } = useVehicle(id);
  const named = vehicle ?? listed;

  useEffect(() => {
    if (vehicle)
      rememberRecent(character.id, {
        kind: "vehicles",
        id,
        ref: vehicle.plate,
        title: vehicle.model ?? vehicle.plate,
      });
  }, [character.id, id, vehicle]);

  const missing = { icon: IconCarOff, title: t("vehicles.missing.title"), text: t("vehicles.missing.text") };
  return (
    <DetailPane
      title={named ? (named.model ?? named.plate) : t("vehicles.columns.plate")}
      label={t("vehicles.detailOf", { plate: named?.plate ?? "" })}
      onClose={onClose}
      actions={vehicle && <RecordActions path={`/vehicles/${id}`} />}
      under={named ? <CopyText text={named.plate} label={t("vehicles.columns.plate")} /> : null}
    >
      <DetailStates query={query} widths={WIDTHS} missing={missing} />
      {deleted && <EmptyState icon={IconCarOff} title={t("vehicles.deleted.title")} text={t("vehicles.deleted.text")} />}
      {vehicle && <VehicleFacts vehicle={vehicle} />}
    </DetailPane>
  );
}

function VehicleFacts({ vehicle }: { vehicle: Vehicle }) {
  const { t } = useText();
  const facts: { label: string; value: ReactNode }[] = [
    { label: t("vehicles.columns.plate"), value: <Plate plate={vehicle.plate} /> },
  ];
  if (vehicle.model !== undefined) facts.push({ label: t("vehicles.columns.model"), value: vehicle.model });
  facts.push({
    label: t("vehicles.columns.type"),
    value: vehicle.type === null ? null : typeText(t, vehicle.type),
  });
  if (vehicle.job) facts.push({ label: t("vehicles.columns.job"), value: <JobTag job={vehicle.job} /> });
  facts.push({ label: t("vehicles.columns.updatedAt"), value: <TimeAgo instant={vehicle.updatedAt} /> });
  return (
    <>
      <Section title={t("vehicles.sections.facts")}>
        <Facts facts={facts} />
      </Section>
      <Section title={t("vehicles.columns.owner")}>
        <Owner owner={vehicle.owner} />
      </Section>
      <RecordHistory kind="vehicle" id={vehicle.id} />
    </>
  );
}

function Owner({ owner }: { owner: Vehicle["owner"] }) {
  const { t } = useText();
  const abilities = useAbilities();
  if (owner === undefined) return <FieldHint permission={vehiclesPermissions.list.id} fields={[t("vehicles.columns.owner")]} />;
  if (owner === null) return <p className={classes["none"]}>{t("vehicles.noOwner")}</p>;
  const ref = `CIT-${owner.id}`;
  return (
    <p className={classes["owner"]}>
      {abilities.has(citizensPermissions.list) ? <Link to={`/citizens/${owner.id}`}>{owner.name}</Link> : owner.name}
      <CopyText text={ref} label={t("vehicles.ownerId")} />
    </p>
  );
}
