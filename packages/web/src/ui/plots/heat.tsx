import { useEffect, useRef, type MouseEvent } from "react";
import { type Drawing, type Paint, usePaint, useWidth, widthOfLabels } from "./drawing.ts";
import { writeValue } from "./plot.resolve.ts";
import { heatLegend, heatLevel, labelStep } from "./plot.scale.ts";
import type { ResolvedPlot } from "./plot.types.ts";
import classes from "./plot.module.css";

const ROW = 26;
const BOTTOM = 22;
const LEVELS = 5;
/** How much of the colour each level has, from nothing to the strongest. */
const STRENGTH = [0, 0.18, 0.36, 0.55, 0.77, 1] as const;
/** From this width on, the number stands in the cell. */
const NUMBER_FROM = 30;

interface Size {
  readonly left: number;
  readonly cell: number;
  readonly height: number;
  readonly width: number;
}

function sizeOf({ rows, columns }: ResolvedPlot, width: number): Size {
  const left = widthOfLabels(rows.map(({ short }) => short));
  return { left, cell: Math.max(1, (width - left) / Math.max(1, columns.length)), height: rows.length * ROW + BOTTOM, width };
}

interface Painted {
  readonly look: Paint;
  readonly plot: ResolvedPlot;
  readonly size: Size;
  readonly active: number | null;
  readonly write: (value: number) => string;
}

function paint(canvas: HTMLCanvasElement, { look, plot, size, active, write }: Painted): void {
  const { left, cell, width, height } = size;
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  if (!context) return;
  const token = (name: string) => look.tokenOf(canvas, name);
  const [accent, line, text, ground] = ["--rc-accent-text", "--rc-line-strong", "--mantine-color-text", "--rc-ground"].map(token);
  context.scale(scale, scale);
  context.font = `11px ${getComputedStyle(canvas).fontFamily}`;
  context.textBaseline = "middle";
  const values = plot.series[0]?.values ?? [];
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  for (const [index, value] of values.entries()) {
    const [x, y] = [left + (index % plot.columns.length) * cell, Math.floor(index / plot.columns.length) * ROW];
    const level = heatLevel(value ?? 0, highest, LEVELS);
    context.globalAlpha = STRENGTH[level] ?? 1;
    context.fillStyle = accent!;
    context.fillRect(x + 1, y + 1, cell - 2, ROW - 2);
    context.globalAlpha = 1;
    context.strokeStyle = index === active ? text! : line!;
    context.lineWidth = index === active ? 2 : 1;
    context.strokeRect(x + 1.5, y + 1.5, Math.max(1, cell - 3), ROW - 3);
    if (value === null) {
      context.beginPath();
      context.moveTo(x + 2, y + ROW - 3);
      context.lineTo(x + cell - 2, y + 3);
      context.stroke();
    }
    if (level === 0 || cell < NUMBER_FROM) continue;
    context.fillStyle = level > 3 ? ground! : text!;
    context.textAlign = "center";
    context.fillText(write(value ?? 0), x + cell / 2, y + ROW / 2, cell - 4);
  }
  context.fillStyle = token("--mantine-color-dimmed");
  context.textAlign = "left";
  for (const [row, { short }] of plot.rows.entries()) context.fillText(short, 0, row * ROW + ROW / 2);
  context.textAlign = "center";
  const step = labelStep(plot.columns.length, width - left, 26);
  for (const [column, { short }] of plot.columns.entries())
    if (column % step === 0) context.fillText(short, left + (column + 0.5) * cell, height - BOTTOM / 2);
}

/** Numbers by weekday and hour, painted on a canvas: 168 cells of SVG are three times as slow. */
export default function HeatDrawing({ plot, language, t, active, onPoint, onChoose }: Drawing) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(box);
  const look = usePaint();
  const size = sizeOf(plot, width);
  useEffect(() => {
    if (canvas.current && width > 0)
      paint(canvas.current, { look, plot, size, active, write: (value) => writeValue(value, plot.unit, language) });
  }, [plot, size, active, width, language, look]);
  const indexAt = (event: MouseEvent) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const column = Math.floor((event.clientX - left - size.left) / size.cell);
    const row = Math.floor((event.clientY - top) / ROW);
    const inside = column >= 0 && column < plot.columns.length && row >= 0 && row < plot.rows.length;
    return inside ? row * plot.columns.length + column : null;
  };
  const values = plot.series[0]?.values ?? [];
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  return (
    <div ref={box}>
      {width > 0 && (
        <canvas
          ref={canvas}
          className={classes["drawing"]}
          style={{ width: size.width, height: size.height }}
          aria-hidden
          onPointerMove={(event) => onPoint(indexAt(event))}
          onClick={(event) => {
            const at = indexAt(event);
            if (at !== null) onChoose(at);
          }}
        />
      )}
      <div className={classes["legend"]} aria-hidden title={t("web.plot.levels")}>
        {heatLegend(highest, LEVELS, plot.unit !== "average" ? 1 : highest < 1 ? 0.01 : 0.1).map(({ level, from, to }) => (
          <span key={level}>
            <span className={classes["swatch"]}>
              <span style={{ opacity: STRENGTH[level] }} />
            </span>
            {from === to
              ? writeValue(from, plot.unit, language)
              : `${writeValue(from, plot.unit, language)}–${writeValue(to, plot.unit, language)}`}
          </span>
        ))}
        {values.includes(null) && (
          <span>
            <span className={classes["swatch"]} data-unknown />
            {t("web.plot.unknown")}
          </span>
        )}
      </div>
    </div>
  );
}
