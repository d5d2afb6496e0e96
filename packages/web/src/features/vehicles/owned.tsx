import { Link } from "@tanstack/react-router";
import { vehiclesPermissions } from "@rollcall/server/contract/vehicles";
import { useText } from "#core/i18n.ts";
import { Plate, Section } from "#ui/small.tsx";
import { Bars, ProblemNote, RightHint } from "#ui/states.tsx";
import { typeText } from "./columns.tsx";
import { useOwnedVehicles } from "./vehicles.queries.ts";
import classes from "./vehicles.module.css";

/** The vehicles of a citizen, as a part of its profile. */
export function OwnedVehicles({ citizenId }: { readonly citizenId: number }) {
  const { t } = useText();
  const { query, mayList, rows } = useOwnedVehicles(citizenId);
  return (
    <Section title={t("vehicles.title")} {...(query.isSuccess ? { count: rows.length } : {})}>
      {!mayList && <RightHint permission={vehiclesPermissions.list.id} text={t("vehicles.ownedHidden")} />}
      {mayList && query.isPending && <Bars widths={["70%", "55%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isSuccess && rows.length === 0 && <p className={classes["none"]}>{t("vehicles.ownsNone")}</p>}
      {rows.length > 0 && (
        <ul className={classes["owned"]}>
          {rows.map((vehicle) => (
            <li key={vehicle.id}>
              <Link to={`/vehicles/${vehicle.id}`}>
                <Plate plate={vehicle.plate} />
                <span className={classes["model"]}>{vehicle.model ?? ""}</span>
                <span className={classes["type"]}>{typeText(t, vehicle.type)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
