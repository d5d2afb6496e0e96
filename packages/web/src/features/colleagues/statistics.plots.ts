import type { getJobStatistics } from "@rollcall/server/contract/colleagues";
import type { OutputOf } from "@rollcall/server/contract/core";
import { definePlot } from "#ui/plots/plot.types.ts";

export type JobStatistics = OutputOf<typeof getJobStatistics>;
type Month = JobStatistics["months"][number];

/** With the months as they are named in the viewer's language. */
export interface NamedMonths {
  readonly names: readonly string[];
  readonly months: readonly Month[];
}

const x = { names: ({ names }: NamedMonths) => names };

export const peopleByMonth = definePlot<NamedMonths>({
  kind: "bars",
  title: "colleagues.statistics.people",
  empty: "colleagues.statistics.unknown",
  // The people of two months are no sum.
  unit: "average",
  x,
  series: ({ months }, t) => [{ label: t("colleagues.statistics.people"), values: months.map(({ people }) => people) }],
});

export const movesByMonth = definePlot<NamedMonths>({
  kind: "bars",
  title: "colleagues.statistics.moves",
  empty: "colleagues.statistics.unknown",
  unit: "count",
  x,
  series: ({ months }, t) => [
    { label: t("colleagues.statistics.hired"), values: months.map(({ hired }) => hired) },
    { label: t("colleagues.statistics.left"), values: months.map(({ left }) => left) },
  ],
});

const percent = (share: Month["retention"]["days30"]) => (share === null ? null : Math.round((share.stayed / share.hired) * 100));

/** Bars of several series are put on top of each other, which shares of the same people are not: one plot for each. */
export const retentionPlots = (["days30", "days60", "days90"] as const).map((name) =>
  definePlot<NamedMonths>({
    kind: "bars",
    title: `colleagues.statistics.${name}`,
    empty: "colleagues.statistics.tooEarly",
    unit: "average",
    x,
    series: ({ months }, t) => [
      { label: t(`colleagues.statistics.${name}`), values: months.map(({ retention }) => percent(retention[name])) },
    ],
  }),
);
