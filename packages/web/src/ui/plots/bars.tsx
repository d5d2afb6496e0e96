import { useId, useRef, type PointerEvent } from "react";
import { type Drawing, tokenOfSeries, useWidth, widthOfLabels } from "./drawing.ts";
import { writeValue, totalAt } from "./plot.resolve.ts";
import { labelStep, stackedBars, valueTicks } from "./plot.scale.ts";
import type { ResolvedPlot } from "./plot.types.ts";
import classes from "./plot.module.css";

const HEIGHT = 220;
const BOTTOM = 24;
const TOP = 8;
const LABEL = 48;

/** Fills that differ without their colour; the ground of each is its colour, paler except in the first. */
const patterns = [
  null,
  "M0 8 L8 0 M-2 2 L2 -2 M6 10 L10 6",
  "M2 0 V8 M6 0 V8",
  "M0 2 H8 M0 6 H8",
  "M0 0 L8 8 M0 8 L8 0",
] as const;

function Pattern({ id, series }: { id: string; series: number }) {
  const colour = `var(${tokenOfSeries(series)})`;
  const lines = patterns[series % patterns.length];
  return (
    <pattern id={id} width={8} height={8} patternUnits="userSpaceOnUse">
      <rect width={8} height={8} fill={colour} fillOpacity={lines ? 0.3 : 1} />
      {lines && <path d={lines} stroke={colour} strokeWidth={1.8} />}
    </pattern>
  );
}

/** Of the width of a label below the axis. */
const halfOf = (short: string) => widthOfLabels([short]) / 2;

/** Bars by day or name, drawn as SVG: its colours follow the scheme by themselves. */
export default function BarDrawing({ plot, language, active, onPoint, onChoose }: Drawing) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const id = useId();
  const totals = plot.points.map((_, index) => totalAt(plot.series, index) ?? 0);
  const ticks = valueTicks(Math.max(0, ...totals), 4, plot.unit);
  const labels = ticks.map((tick) => writeValue(tick, plot.unit, language));
  const left = widthOfLabels(labels);
  const area = { width: Math.max(0, width - left - 4), height: HEIGHT - TOP - BOTTOM, highest: ticks.at(-1)! };
  const slot = area.width / plot.points.length;
  const y = (value: number) => TOP + area.height - (value / area.highest) * area.height;
  const indexAt = (event: PointerEvent<Element>) => {
    const at = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - left) / slot);
    return at >= 0 && at < plot.points.length ? at : null;
  };
  const widest = widthOfLabels(plot.points.map(({ short }) => short));
  const step = labelStep(plot.points.length, area.width, Math.max(LABEL, widest));
  const last = plot.points.length - 1;
  return (
    <div ref={box}>
      {width > 0 && (
        <svg
          className={classes["drawing"]}
          width={width}
          height={HEIGHT}
          aria-hidden
          onPointerMove={(event) => onPoint(indexAt(event))}
          onClick={(event) => {
            const at = indexAt(event as unknown as PointerEvent<Element>);
            if (at !== null) onChoose(at);
          }}
        >
          <defs>
            {plot.series.map(({ label }, series) => (
              <Pattern key={label} id={`${id}${series}`} series={series} />
            ))}
          </defs>
          {ticks.map((tick, index) => (
            <g key={tick}>
              <line className={classes["line"]} x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
              <text className={classes["label"]} x={left - 6} y={y(tick) + 4} textAnchor="end">
                {labels[index]}
              </text>
            </g>
          ))}
          {active !== null && (
            <rect className={classes["band"]} x={left + active * slot} y={TOP} width={slot} height={area.height} />
          )}
          <g transform={`translate(${left} ${TOP})`}>
            {stackedBars(
              plot.series.map(({ values }) => values),
              area,
            ).map(({ series, index, ...bar }) => (
              <rect
                key={`${series} ${index}`}
                {...bar}
                fill={`url(#${id}${series})`}
                stroke={`var(${tokenOfSeries(series)})`}
                strokeWidth={bar.width > 6 ? 1 : 0}
              />
            ))}
          </g>
          {plot.points.map(({ short }, index) =>
            (last - index) % step === 0 ? (
              <text
                key={index}
                className={classes["label"]}
                x={Math.min(left + (index + 0.5) * slot, width - halfOf(short))}
                y={HEIGHT - 6}
                textAnchor="middle"
              >
                {short}
              </text>
            ) : null,
          )}
        </svg>
      )}
      <BarLegend plot={plot} id={id} />
    </div>
  );
}

function BarLegend({ plot, id }: { plot: ResolvedPlot; id: string }) {
  if (plot.series.length < 2) return null;
  return (
    <div className={classes["legend"]} aria-hidden>
      {plot.series.map(({ label }, series) => (
        <span key={label}>
          <svg width={16} height={12}>
            <rect x={0.5} y={0.5} width={15} height={11} fill={`url(#${id}${series})`} stroke={`var(${tokenOfSeries(series)})`} />
          </svg>
          {label}
        </span>
      ))}
    </div>
  );
}
