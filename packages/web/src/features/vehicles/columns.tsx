import { useMemo, type ReactNode } from "react";
import { vehiclesPermissions } from "@rollcall/server/contract/vehicles";
import { useAbilities } from "#core/abilities.ts";
import { isDisabled, useClientConfig } from "#core/client.ts";
import { useText, type Translate } from "#core/i18n.ts";
import type { Column } from "#ui/grid.types.ts";
import { JobTag, Plate, TimeAgo } from "#ui/small.tsx";
import type { Vehicle } from "./vehicles.queries.ts";

const TYPES: Readonly<Record<string, string>> = {
  car: "car",
  automobile: "car",
  motorcycle: "motorcycle",
  bike: "motorcycle",
  truck: "truck",
  boat: "boat",
  submarine: "submarine",
  plane: "plane",
  helicopter: "helicopter",
  heli: "helicopter",
  bicycle: "bicycle",
  trailer: "trailer",
  train: "train",
  air: "air",
  aircraft: "air",
};

/** The text of a vehicle type, also for the game's own names; custom types are returned unchanged. */
export function typeText(t: Translate, type: string | null): string {
  if (type === null) return "";
  const known = TYPES[type.toLowerCase()];
  return known ? t(`vehicles.types.${known}`) : type;
}

/** Columns of the fields that this viewer may see; the rows do not contain the others. */
export function useVehicleColumns(): readonly Column<Vehicle>[] {
  const { t } = useText();
  const client = useClientConfig();
  const seesOwner = useAbilities().sees(vehiclesPermissions.list, "owner");
  const hasModel = !isDisabled(client, "vehicles.model");

  return useMemo(() => {
    const all: (Column<Vehicle> | false)[] = [
      {
        id: "plate",
        order: "plate",
        header: t("vehicles.columns.plate"),
        track: "minmax(110px, 1fr)",
        numeric: true,
        cell: (row) => <Plate plate={row.plate} />,
      },
      hasModel && {
        id: "model",
        order: "model",
        header: t("vehicles.columns.model"),
        track: "minmax(100px, 1.6fr)",
        cell: (row) => row.model,
      },
      {
        id: "type",
        header: t("vehicles.columns.type"),
        track: "110px",
        from: 640,
        cell: (row) => typeText(t, row.type),
      },
      seesOwner && {
        id: "owner",
        header: t("vehicles.columns.owner"),
        track: "minmax(130px, 2fr)",
        cell: (row) => row.owner?.name,
      },
      {
        id: "job",
        header: t("vehicles.columns.job"),
        track: "minmax(110px, 1.4fr)",
        from: 760,
        cell: (row) => row.job && <JobTag job={row.job} />,
      },
      {
        id: "updatedAt",
        order: "updatedAt",
        optional: true,
        header: t("vehicles.columns.updatedAt"),
        track: "110px",
        from: 960,
        numeric: true,
        cell: (row) => <TimeAgo instant={row.updatedAt} />,
      },
    ];
    return all.filter((column) => column !== false);
  }, [t, hasModel, seesOwner]);
}

export function narrowVehicle(t: Translate, row: Vehicle): readonly [ReactNode, ReactNode] {
  return [
    <>
      <Plate plate={row.plate} /> {row.model}
    </>,
    <>
      <span>{row.owner?.name ?? row.job?.label}</span>
      <span>{typeText(t, row.type)}</span>
    </>,
  ];
}
