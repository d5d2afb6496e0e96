import type { OutputOf } from "@rollcall/server/contract/core";
import type { getLoad } from "@rollcall/server/contract/timeclock";
import { definePlot } from "#ui/plots/plot.types.ts";

export type TeamLoad = OutputOf<typeof getLoad>;

/** Of how many hours of the range nothing is known, and how many there are. */
export function unknownIn({ cells }: Pick<TeamLoad, "cells">): { readonly unknown: number; readonly all: number } {
  const flat = cells.flat();
  const unknown = flat.reduce((sum, cell) => sum + cell.unknown, 0);
  return { unknown, all: flat.reduce((sum, cell) => sum + cell.hours, unknown) };
}

/** An hour that nobody knows is no zero. */
export const workedByHour = definePlot<TeamLoad>({
  kind: "heat",
  title: "timeclock.load.title",
  empty: "timeclock.load.empty",
  unit: "average",
  hours: ({ cells }) => cells.map((row) => row.map(({ people }) => people)),
  note: ({ cells }, index, t) => {
    const cell = cells[Math.floor(index / 24)]?.[index % 24];
    if (cell === undefined || cell.unknown === 0) return null;
    return t("timeclock.load.unknown", { unknown: cell.unknown, all: cell.unknown + cell.hours });
  },
});
