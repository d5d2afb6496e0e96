import type { OutputOf } from "@rollcall/server/contract/core";
import type { scheduleDurations } from "@rollcall/server/contract/scheduler";
import { definePlot } from "#ui/plots/plot.types.ts";

/** How long the runs of one schedule took; runs of the same hour are one point. */
export const durationsPlot = definePlot<OutputOf<typeof scheduleDurations>>({
  kind: "line",
  title: "scheduler.plot.title",
  empty: "scheduler.plot.empty",
  unit: "milliseconds",
  x: ({ points }) => points.map(({ at }) => at),
  range: ({ from, to }) => [from, to],
  series: ({ points }, t) => {
    const mean = { label: t("scheduler.plot.duration"), values: points.map(({ meanMs }) => meanMs) };
    // With one run in each point both lines would be the same.
    if (points.every(({ runs }) => runs === 1)) return [mean];
    return [
      { label: t("scheduler.plot.mean"), values: mean.values },
      { label: t("scheduler.plot.longest"), values: points.map(({ longestMs }) => longestMs) },
    ];
  },
  marks: ({ points }, t) => ({ label: t("scheduler.plot.failed"), at: points.map(({ failed }) => failed > 0) }),
});
