import type { OutputOf } from "@rollcall/server/contract/core";
import type { dutyStatistics } from "@rollcall/server/contract/duty";
import { definePlot } from "#ui/plots/plot.types.ts";

export type Hours = OutputOf<typeof dutyStatistics>;

export const onDutyByHour = definePlot<Hours>({
  kind: "heat",
  title: "duty.hours.byHour",
  empty: "duty.hours.empty.title",
  unit: "average",
  hours: ({ hours }) => hours,
});

/** What nobody knows of is no zero. */
export const hoursByDay = definePlot<Hours>({
  kind: "bars",
  title: "duty.hours.byDay",
  empty: "duty.hours.empty.title",
  unit: "worked",
  x: { days: ({ days }) => days.map(({ day }) => day) },
  series: ({ days }, t) => [
    {
      label: t("duty.hours.byDay"),
      values: days.map(({ seconds, knownSeconds }) => (seconds === 0 && knownSeconds === 0 ? null : seconds * 1000)),
    },
  ],
});
