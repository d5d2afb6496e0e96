import { Button } from "@mantine/core";
import { baseKinds, type Unit } from "@rollcall/server/contract/units";
import { useText } from "#core/i18n.ts";
import { STATUS_ICONS } from "./statusTag.tsx";
import { type CrewChanges, useStatuses } from "./units.queries.ts";
import classes from "./units.module.css";

interface Props {
  readonly unit: Pick<Unit, "id" | "name" | "status" | "isStatic">;
  readonly changes: CrewChanges;
}

/** Every status of the job as a button, the base kinds first. */
export function StatusButtons({ unit, changes }: Props) {
  const { t } = useText();
  const custom = (useStatuses().data?.items ?? []).filter(({ deleted }) => !deleted);
  const bases = baseKinds.map((base) => ({ base, id: null, name: t(`units.bases.${base}`) }));
  return (
    <div className={classes["statuses"]} role="group" aria-label={t("units.statusOf", { name: unit.name })}>
      {[...bases, ...custom].map(({ base, id, name }) => {
        const Icon = STATUS_ICONS[base];
        const isSet = unit.status.base === base && unit.status.id === id;
        return (
          <Button
            key={`${base} ${id ?? ""}`}
            size="compact-md"
            variant={isSet ? "filled" : "default"}
            aria-pressed={isSet}
            disabled={changes.busy || (base === "available" && unit.isStatic)}
            leftSection={<Icon size={15} aria-hidden />}
            onClick={() => void changes.status(unit, { base, id })}
          >
            {name}
          </Button>
        );
      })}
    </div>
  );
}
