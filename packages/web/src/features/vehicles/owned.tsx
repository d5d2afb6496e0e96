import type { ReactNode } from "react";
import { Link } from "@tanstack/react-router";
import { vehiclesPermissions } from "@rollcall/server/contract/vehicles";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { FieldHint } from "#ui/fieldHint.tsx";
import { Plate, Section } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { typeText } from "./columns.tsx";
import { useOwnedVehicles } from "./vehicles.queries.ts";
import classes from "./vehicles.module.css";

/** The vehicles of a citizen, as a part of its profile. */
export function OwnedVehicles({ citizenId }: { readonly citizenId: number }) {
  const { t } = useText();
  const { query, mayList, rows } = useOwnedVehicles(citizenId);
  const mayOpen = useAbilities().has(vehiclesPermissions.list);
  return (
    <Section title={t("vehicles.title")} {...(query.isSuccess ? { count: rows.length } : {})}>
      {!mayList && <FieldHint permission={vehiclesPermissions.list.id} fields={[t("vehicles.columns.owner")]} />}
      {mayList && query.isPending && <Bars widths={["70%", "55%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isSuccess && rows.length === 0 && <p className={classes["none"]}>{t("vehicles.ownsNone")}</p>}
      {rows.length > 0 && (
        <ul className={classes["owned"]}>
          {rows.map((vehicle) => (
            <li key={vehicle.id}>
              <Row id={mayOpen ? vehicle.id : null}>
                <Plate plate={vehicle.plate} />
                <span className={classes["model"]}>{vehicle.model ?? ""}</span>
                <span className={classes["type"]}>{typeText(t, vehicle.type)}</span>
              </Row>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Without an id the vehicle cannot be opened. */
function Row({ id, children }: { readonly id: number | null; readonly children: ReactNode }) {
  return id === null ? <span>{children}</span> : <Link to={`/vehicles/${id}`}>{children}</Link>;
}
