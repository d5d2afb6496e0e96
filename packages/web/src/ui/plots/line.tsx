import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axisFont, type Drawing, type Paint, tokenOfSeries, usePaint, useWidth, widthOfLabels } from "./drawing.ts";
import { shortDay, writeValue } from "./plot.resolve.ts";
import { dayTicks, nearest, valueTicks } from "./plot.scale.ts";
import type { ResolvedPlot } from "./plot.types.ts";
import classes from "./plot.module.css";

const HEIGHT = 220;
const LABEL = 56;
/** Dashes of the series, so that they differ without their colour; the first is a plain line. */
const dashes = [[], [6, 4], [2, 3], [10, 3, 2, 3], [1, 5]] as const;
const dashOf = (series: number): number[] => [...dashes[series % dashes.length]!];
const CROSS = 4;

/** In canvas pixels: `x` and `y` are those of a point; a point without a value is on the axis. */
function placeOf(u: uPlot, { times, series }: ResolvedPlot, index: number): { x: number; ys: number[] } {
  const x = u.valToPos(times[index]!, "x", true);
  const values = series.flatMap(({ values: all }) => all[index] ?? []);
  return { x, ys: (values.length === 0 ? [0] : values).map((value) => u.valToPos(value, "y", true)) };
}

interface Shown {
  look: Paint;
  plot: ResolvedPlot;
  active: number | null;
  language: Drawing["language"];
}

/** Draws over the lines: crosses where something failed, and the cursor. */
function paintOver(u: uPlot, { look, plot, active }: Shown): void {
  const { ctx } = u;
  const scale = uPlot.pxRatio;
  ctx.save();
  ctx.lineWidth = 2 * scale;
  ctx.setLineDash([]);
  ctx.strokeStyle = look.tokenOf(u.root, "--rc-bad");
  for (const [index, marked] of (plot.marks?.at ?? []).entries()) {
    if (!marked) continue;
    const { x, ys } = placeOf(u, plot, index);
    const [y, arm] = [Math.min(...ys), CROSS * scale];
    ctx.beginPath();
    for (const side of [-1, 1]) {
      ctx.moveTo(x - arm, y - side * arm);
      ctx.lineTo(x + arm, y + side * arm);
    }
    ctx.stroke();
  }
  if (active !== null && active < plot.times.length) {
    const { x, ys } = placeOf(u, plot, active);
    ctx.strokeStyle = look.tokenOf(u.root, "--mantine-color-text");
    ctx.lineWidth = scale;
    ctx.beginPath();
    ctx.moveTo(x, u.bbox.top);
    ctx.lineTo(x, u.bbox.top + u.bbox.height);
    ctx.stroke();
    for (const y of ys) {
      ctx.beginPath();
      ctx.arc(x, y, 4 * scale, 0, 2 * Math.PI);
      ctx.stroke();
    }
  }
  ctx.restore();
}

function optionsOf(width: number, font: string, shown: { readonly current: Shown }): uPlot.Options {
  const { plot, language, look } = shown.current;
  const highest = Math.max(0, ...plot.series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const ticks = valueTicks(highest, 4, plot.unit);
  const labels = ticks.map((tick) => writeValue(tick, plot.unit, language));
  const left = widthOfLabels(labels);
  const colour = (name: string) => (u: uPlot) => look.tokenOf(u.root, name);
  const line = { stroke: colour("--rc-line"), width: 1 };
  const common = { font, stroke: colour("--mantine-color-dimmed"), grid: line, ticks: { show: false } };
  const days = dayTicks(plot.range[0], plot.range[1], (width - left) / LABEL);
  return {
    width,
    height: HEIGHT,
    // Instants are milliseconds, and the axis has labels of its own: with `time` it would count seconds.
    scales: {
      x: { time: false, range: [plot.range[0], plot.range[1]] },
      y: { range: [0, ticks.at(-1)!] },
    },
    series: [
      {},
      ...plot.series.map(({ label }, index) => ({
        label,
        stroke: colour(tokenOfSeries(index)),
        width: 2,
        dash: dashOf(index),
        points: { show: index === 0, size: 5, fill: colour(tokenOfSeries(index)) },
        spanGaps: true,
      })),
    ],
    axes: [
      { ...common, size: 26, splits: () => days, values: (_u, splits) => splits.map((at) => shortDay(at, language)) },
      { ...common, size: left, splits: () => ticks, values: () => labels },
    ],
    padding: [10, 10, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    hooks: {
      draw: [(u) => paintOver(u, shown.current)],
    },
  };
}

/** Lines over time, drawn by uPlot: thousands of points in a few milliseconds. */
export default function LineDrawing({ plot, language, active, onPoint, onChoose }: Drawing) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot | null>(null);
  const look = usePaint();
  const shown = useRef<Shown>({ look, plot, active, language });
  const width = useWidth(box);

  useEffect(() => {
    const target = box.current;
    if (!target || width === 0) return undefined;
    shown.current = { ...shown.current, look, plot, language };
    const data = [plot.times, ...plot.series.map(({ values }) => values)] as unknown as uPlot.AlignedData;
    const made = new uPlot(optionsOf(width, `${axisFont} ${getComputedStyle(target).fontFamily}`, shown), data, target);
    drawn.current = made;
    return () => {
      drawn.current = null;
      made.destroy();
    };
  }, [plot, language, width, look]);

  useEffect(() => {
    shown.current = { ...shown.current, active };
    drawn.current?.redraw(false);
  }, [active]);

  const indexAt = (clientX: number) => {
    const u = drawn.current;
    return u ? nearest(plot.times, u.posToVal(clientX - u.over.getBoundingClientRect().left, "x")) : -1;
  };
  return (
    <div>
      <div
        ref={box}
        className={classes["canvas"]}
        aria-hidden
        onPointerMove={(event) => onPoint(indexAt(event.clientX))}
        onClick={(event) => onChoose(indexAt(event.clientX))}
      />
      <LineLegend plot={plot} />
    </div>
  );
}

function LineLegend({ plot }: { plot: ResolvedPlot }) {
  const marked = plot.marks?.at.includes(true) === true;
  if (plot.series.length < 2 && !marked) return null;
  return (
    <div className={classes["legend"]} aria-hidden>
      {plot.series.map(({ label }, index) => (
        <span key={label}>
          <svg width={24} height={12}>
            <line
              x1={0}
              x2={24}
              y1={6}
              y2={6}
              stroke={`var(${tokenOfSeries(index)})`}
              strokeWidth={2}
              strokeDasharray={dashOf(index).join(" ")}
            />
          </svg>
          {label}
        </span>
      ))}
      {marked && (
        <span>
          <svg width={12} height={12}>
            <path d="M2 2 L10 10 M2 10 L10 2" stroke="var(--rc-bad)" strokeWidth={2} />
          </svg>
          {plot.marks?.label}
        </span>
      )}
    </div>
  );
}
