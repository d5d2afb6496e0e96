import type { Unit, UnitActivity } from "@rollcall/server/contract/units";
import { type Translate, useText } from "#core/i18n.ts";
import { Dialog } from "#ui/dialog.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { useActivity } from "./units.queries.ts";
import classes from "./units.module.css";

export interface ActivityProps {
  readonly unit: Pick<Unit, "id" | "name">;
  onClose(): void;
}

/** What happened to a unit, the newest first. */
export default function Activity({ unit, onClose }: ActivityProps) {
  const { t } = useText();
  const query = useActivity(unit.id);
  return (
    <Dialog title={t("units.activity.of", { name: unit.name })} onClose={onClose}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%"]} />}
      <ol className={classes["events"]}>
        {query.data?.items.map((one) => (
          <li key={one.id}>
            <span className={classes["quiet"]}>
              <TimeAgo instant={one.at} />
            </span>
            <span>{sentence(t, one)}</span>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

/** What happened, who did it, and why where nobody did. */
function sentence(t: Translate, { what, why, citizen, by, status, role }: UnitActivity): string {
  const name = citizen?.name ?? t("units.activity.somebody");
  const set = status === null ? "" : (status.name ?? t(`units.bases.${status.base}`));
  const said = t(`units.activity.what.${what}`, { name, status: set });
  const more = [
    role,
    why === "byHand" ? null : t(`units.activity.why.${why}`),
    by === null || by.id === citizen?.id ? null : t("units.activity.by", { name: by.name }),
  ].filter(Boolean);
  return more.length === 0 ? said : t("units.activity.with", { said, more: more.join(", ") });
}
