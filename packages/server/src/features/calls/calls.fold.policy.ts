import { createHash } from "node:crypto";

/** A new alert is added to a call whose place is no further away. Metres. */
export const foldWithin = 45;
/** And whose last alert is no older. Milliseconds. */
export const foldAfterMs = 180_000;

/** Alerts of the same incident type for the same jobs have the same. */
export function foldKey(typeId: number | null, jobs: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify([typeId, [...jobs].toSorted()]))
    .digest("hex");
}

/** Of a panic: no alert has it, so that none is added to one. */
export const panicFoldKey = "panic";

interface Point {
  readonly x: number | null;
  readonly y: number | null;
}

/** A person, named or not; null for somebody or something that is no citizen. */
export interface FoldCaller {
  readonly citizenId: number | null;
  readonly anonymous: boolean;
}

/** An open call of the same type and jobs that had an alert a moment ago. */
export interface FoldCandidate extends Point {
  readonly id: number;
  readonly callers: readonly FoldCaller[];
}

export interface NewAlert extends Point, FoldCaller {}

/** In metres; null where one of them has no place. */
function distanceOf(a: Point, b: Point): number | null {
  if (a.x === null || a.y === null || b.x === null || b.y === null) return null;
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Somebody known and somebody anonymous never are: that they are one person would say who the anonymous one is. */
const isSame = (a: FoldCaller, b: FoldCaller) =>
  a.citizenId !== null && a.citizenId === b.citizenId && a.anonymous === b.anonymous;

/** The call that an alert is added to: the nearest one, of equally near ones the oldest. Without places, one of the same caller. */
export function foldedInto(alert: NewAlert, candidates: readonly FoldCandidate[]): number | null {
  const near = candidates.flatMap(({ id, callers, ...at }) => {
    const distance = distanceOf(alert, at);
    if (distance !== null) return distance <= foldWithin ? [{ id, distance }] : [];
    return callers.some((one) => isSame(alert, one)) ? [{ id, distance: foldWithin }] : [];
  });
  return near.toSorted((a, b) => a.distance - b.distance || a.id - b.id)[0]?.id ?? null;
}

/** Up to here pages read each alert; of more, they read one a second. */
export const shownAlone = 10;
