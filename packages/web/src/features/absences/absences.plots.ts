import type { getStatistics } from "@rollcall/server/contract/absences";
import type { OutputOf } from "@rollcall/server/contract/core";
import { definePlot } from "#ui/plots/plot.types.ts";
import { kindName } from "./texts.ts";

export type Statistics = OutputOf<typeof getStatistics>;

export const absentByDay = definePlot<Statistics>({
  kind: "bars",
  title: "absences.statistics.byDay",
  empty: "absences.statistics.none",
  unit: "count",
  x: { days: ({ days }) => days.map(({ day }) => day) },
  series: ({ days }, t) => [{ label: t("absences.statistics.absent"), values: days.map(({ absent }) => absent) }],
});

export const daysByKind = definePlot<Statistics>({
  kind: "bars",
  title: "absences.statistics.byKind",
  empty: "absences.statistics.none",
  unit: "count",
  x: { names: ({ kinds = [] }, t) => kinds.map(({ kind }) => kindName(t, { kind }) ?? "") },
  series: ({ kinds = [] }, t) => [{ label: t("absences.statistics.days"), values: kinds.map(({ days }) => days) }],
});
