import { isTime, type PlotUnit } from "./plot.types.ts";

/** Geometry of plots: pure, in pixels and values, without a page. */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Steps that people read times in; 1, 2 and 5 beyond a minute would give lines at 1.7 minutes. */
const timeSteps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 6, 12, 24].map((count) => count * hour),
];

function countStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}

/** Round values from 0 to at least `highest`, at most `most` steps. */
export function valueTicks(highest: number, most: number, unit: PlotUnit): number[] {
  const least = Math.max(1, highest) / Math.max(1, most);
  const step = (isTime(unit) ? timeSteps.find((one) => one >= least) : undefined) ?? countStep(least);
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Midnights in the viewer's zone, at most about `most`; a day may have 23 or 25 hours. */
export function dayTicks(from: number, to: number, most: number): number[] {
  const days = Math.max(1, (to - from) / (24 * hour));
  const step = [1, 2, 7, 14, 28].find((one) => days / one <= Math.max(1, most)) ?? Math.ceil(days / Math.max(1, most));
  const first = new Date(from);
  const ticks: number[] = [];
  for (let offset = 0; ; offset += 1) {
    const at = new Date(first.getFullYear(), first.getMonth(), first.getDate() + offset).getTime();
    if (at > to) return step === 1 ? ticks : ticks.filter((_, index) => (ticks.length - 1 - index) % step === 0);
    if (at >= from) ticks.push(at);
  }
}

/** Every how many of `count` labels is written, so that each has `width` of `available` pixels. */
export function labelStep(count: number, available: number, width: number): number {
  const fit = Math.max(1, Math.floor(available / width));
  const least = Math.ceil(count / fit);
  return [1, 2, 3, 4, 6, 7, 12, 14, 28].find((step) => step >= least) ?? least;
}

/** Index of the value nearest to `wanted` in an ascending list; -1 for an empty one. */
export function nearest(values: readonly number[], wanted: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low > 0 && wanted - values[low - 1]! <= values[low]! - wanted ? low - 1 : values.length === 0 ? -1 : low;
}

/** Where a key moves the cursor in `count` points, of which `columns` are in a row; null for other keys. */
export function moved(key: string, at: number, count: number, columns: number): number | null {
  const grid = columns < count;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    // In one row, up and down do what a slider does.
    ArrowDown: grid ? columns : -1,
    ArrowUp: grid ? -columns : 1,
    PageDown: grid ? columns : 10,
    PageUp: grid ? -columns : -10,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  if (step === undefined || count === 0) return null;
  const wanted = at + step;
  // A grid has no cell above its first row: the cursor stays in its column.
  if (grid && Math.abs(step) === columns && (wanted < 0 || wanted >= count)) return at;
  return Math.max(0, Math.min(count - 1, wanted));
}

export interface Bar {
  readonly series: number;
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface BarArea {
  readonly width: number;
  readonly height: number;
  /** Value at the upper edge. */
  readonly highest: number;
}

/** The bars of several series on top of each other. What is not 0 is at least a pixel high, and stays inside. */
export function stackedBars(series: readonly (readonly (number | null)[])[], { width, height, highest }: BarArea): Bar[] {
  const count = series[0]?.length ?? 0;
  const slot = width / Math.max(1, count);
  const bar = Math.max(1, Math.min(48, slot * 0.8));
  const bars: Bar[] = [];
  for (let index = 0; index < count; index += 1) {
    let below = 0;
    for (const [which, values] of series.entries()) {
      const value = values[index] ?? 0;
      if (value <= 0) continue;
      const tall = Math.min(Math.max(1, (value / highest) * height), height - below);
      below += tall;
      bars.push({ series: which, index, x: index * slot + (slot - bar) / 2, y: height - below, width: bar, height: tall });
    }
  }
  return bars;
}

/** How strong a cell of a heat map is: 0 for nothing, then 1 to `levels`. */
export function heatLevel(value: number, highest: number, levels: number): number {
  if (value <= 0 || highest <= 0) return 0;
  return Math.max(1, Math.min(levels, Math.ceil((value / highest) * levels)));
}

/** The values from which on each level begins, without those that no value reaches; all are multiples of `step`. */
export function heatLegend(
  highest: number,
  levels: number,
  step = 1,
): { readonly level: number; readonly from: number; readonly to: number }[] {
  const found: { level: number; from: number; to: number }[] = [];
  for (let level = 1, from = 1; level <= levels; level += 1) {
    const to = Math.floor((level * Math.round(highest / step)) / levels);
    if (to < from) continue;
    found.push({ level, from: from * step, to: to * step });
    from = to + 1;
  }
  return found;
}
