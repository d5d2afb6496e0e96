import type { Random } from "#core/random.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A street from one crossing to the next, driven in both directions. */
export interface Street {
  readonly from: number;
  readonly to: number;
  /** Its course, both crossings included. */
  readonly points: readonly Point[];
  /** How far each point is from the first one, in metres. */
  readonly distances: readonly number[];
  readonly length: number;
  /** Metres per second. */
  readonly limit: number;
}

export interface Streets {
  readonly crossings: readonly Point[];
  readonly streets: readonly Street[];
  /** By crossing: the streets that begin or end there. */
  readonly at: readonly (readonly Street[])[];
}

/** Bounds of the demo city, in metres: those of a usual map, less the sea around it. */
export const cityBounds = { west: -3000, east: 3400, south: -3200, north: 6400 } as const;

const columns = 16;
const rows = 24;
const limits = [8, 14, 14, 22, 33] as const;
/** Into how many straight parts a curve is divided. */
const curveParts = 6;

const between = (a: number, b: number, share: number) => a + (b - a) * share;

/** A quadratic curve beside the straight line, or the line itself. */
function courseOf(a: Point, b: Point, bend: number): Point[] {
  if (bend === 0) return [a, b];
  const side = { x: (a.x + b.x) / 2 - (b.y - a.y) * bend, y: (a.y + b.y) / 2 + (b.x - a.x) * bend };
  return Array.from({ length: curveParts + 1 }, (_, i) => {
    const share = i / curveParts;
    const along = (one: "x" | "y") => between(between(a[one], side[one], share), between(side[one], b[one], share), share);
    return { x: along("x"), y: along("y") };
  });
}

function distancesOf(points: readonly Point[]): number[] {
  let sum = 0;
  return points.map((point, i) => {
    const before = points[i - 1] ?? point;
    sum += Math.hypot(point.x - before.x, point.y - before.y);
    return sum;
  });
}

/** Joins what is not joined yet, so that everything can be reached. */
function createGroups(count: number) {
  const above = Array.from({ length: count }, (_, i) => i);
  const top = (i: number): number => (above[i] === i ? i : (above[i] = top(above[i]!)));
  return (a: number, b: number): boolean => {
    const [first, second] = [top(a), top(b)];
    above[first] = second;
    return first !== second;
  };
}

/** A grid of a few hundred crossings with gaps, diagonals and curves; the same for the same seed. */
export function createStreets(random: Random): Streets {
  const { west, east, south, north } = cityBounds;
  const [width, height] = [(east - west) / columns, (north - south) / rows];
  const crossings = Array.from({ length: columns * rows }, (_, i) => ({
    x: west + width * ((i % columns) + 0.15 + 0.7 * random.next()),
    y: south + height * (Math.floor(i / columns) + 0.15 + 0.7 * random.next()),
  }));
  const streets: Street[] = [];
  const join = createGroups(crossings.length);
  const build = (from: number, to: number) => {
    const bend = random.chance(0.3) ? (random.next() - 0.5) * 0.5 : 0;
    const points = courseOf(crossings[from]!, crossings[to]!, bend);
    const distances = distancesOf(points);
    streets.push({ from, to, points, distances, length: distances.at(-1)!, limit: random.pick(limits) });
    join(from, to);
  };
  const left: [number, number][] = [];
  for (const i of crossings.keys()) {
    const isLast = i % columns === columns - 1;
    const isTop = i >= columns * (rows - 1);
    const near: readonly (readonly [number, boolean, number])[] = [
      [i + 1, !isLast, 0.85],
      [i + columns, !isTop, 0.85],
      [i + columns + 1, !isLast && !isTop, 0.08],
      [i + columns - 1, i % columns !== 0 && !isTop, 0.08],
    ];
    for (const [to, exists, share] of near) {
      if (!exists) continue;
      if (random.chance(share)) build(i, to);
      else left.push([i, to]);
    }
  }
  for (const [from, to] of left) if (join(from, to)) build(from, to);
  const at = crossings.map((_, i) => streets.filter(({ from, to }) => from === i || to === i));
  return { crossings, streets, at };
}

/** The crossings of these streets in their rows, as they were made. */
export function rowsOfCrossings({ crossings }: Pick<Streets, "crossings">): readonly (readonly Point[])[] {
  return Array.from({ length: rows }, (_, row) => crossings.slice(row * columns, (row + 1) * columns));
}

/** A place on a street, so far from its beginning, and the direction there from its beginning to its end. */
export function placeOn({ points, distances, length }: Street, along: number): Point & { readonly heading: number } {
  const distance = Math.max(0, Math.min(length, along));
  const found = distances.findIndex((one, i) => i > 0 && one >= distance);
  const i = found < 1 ? points.length - 1 : found;
  const [a, b, start] = [points[i - 1]!, points[i]!, distances[i - 1]!];
  const share = (distance - start) / Math.max(1e-6, distances[i]! - start);
  return { x: between(a.x, b.x, share), y: between(a.y, b.y, share), heading: headingOf(a, b) };
}

/** Degrees, anticlockwise from north. */
function headingOf(a: Point, b: Point): number {
  const degrees = (Math.atan2(a.x - b.x, b.y - a.y) * 180) / Math.PI;
  return (degrees + 360) % 360;
}
