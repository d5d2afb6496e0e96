import { definePlot } from "#ui/plots/plot.types.ts";

export interface DayHours {
  readonly days: readonly string[];
  /** One for each day. */
  readonly seconds: readonly number[];
}

export const workedByDay = definePlot<DayHours>({
  kind: "bars",
  title: "timeclock.byDay",
  empty: "timeclock.nothing",
  unit: "worked",
  x: { days: ({ days }) => days },
  series: ({ seconds }, t) => [{ label: t("timeclock.byDay"), values: seconds.map((one) => one * 1000) }],
});
