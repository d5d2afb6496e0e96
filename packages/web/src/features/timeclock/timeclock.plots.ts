import { definePlot } from "#ui/plots/plot.types.ts";

export interface DayHours {
  readonly days: readonly string[];
  /** One for each day. */
  readonly seconds: readonly number[];
}

export interface MonthHours {
  /** As they are named. */
  readonly months: readonly string[];
  readonly seconds: readonly number[];
}

export const workedByMonth = definePlot<MonthHours>({
  kind: "bars",
  title: "timeclock.byMonth",
  empty: "timeclock.nothing",
  unit: "worked",
  x: { names: ({ months }) => months },
  series: ({ seconds }, t) => [{ label: t("timeclock.byMonth"), values: seconds.map((one) => one * 1000) }],
});

export const workedByDay = definePlot<DayHours>({
  kind: "bars",
  title: "timeclock.byDay",
  empty: "timeclock.nothing",
  unit: "worked",
  x: { days: ({ days }) => days },
  series: ({ seconds }, t) => [{ label: t("timeclock.byDay"), values: seconds.map((one) => one * 1000) }],
});
