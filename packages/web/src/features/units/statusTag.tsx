import type { CSSProperties } from "react";
import { IconCircleCheck, IconCircleX, IconCoffee, IconTool } from "@tabler/icons-react";
import type { BaseKind, UnitStatus } from "@rollcall/server/contract/units";
import { useText } from "#core/i18n.ts";
import classes from "./units.module.css";

export const STATUS_ICONS: Readonly<Record<BaseKind, typeof IconTool>> = {
  available: IconCircleCheck,
  busy: IconTool,
  break: IconCoffee,
  unavailable: IconCircleX,
};

/** A status: the shape of its base kind beside its name, and the colour of a custom one. */
export function StatusTag({ status: { base, name, colour } }: { readonly status: Pick<UnitStatus, "base" | "name" | "colour"> }) {
  const { t } = useText();
  const Icon = STATUS_ICONS[base];
  return (
    <span className={classes["status"]} data-base={base}>
      <Icon size={15} aria-hidden />
      {colour !== null && <span className={classes["dot"]} style={{ "--unit": colour } as CSSProperties} aria-hidden />}
      <span>{name ?? t(`units.bases.${base}`)}</span>
    </span>
  );
}
