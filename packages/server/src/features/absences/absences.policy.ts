import type { Viewer } from "#core/actor.ts";
import { nextState } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { invalid } from "#core/invalid.ts";
import { covers, type Member, type Reach, reachOf } from "#core/rank.ts";
import { addDays, isDay } from "#core/zone.ts";
import { absencesErrors, absencesPermissions, type KindContent } from "./absences.base.contract.ts";
import { absenceMachine, type AbsenceState } from "./absences.machine.ts";

type Standing = Pick<Viewer, "characterId" | "job" | "grade" | "rights">;

/** Nobody. */
const none: Reach = { any: false, own: false, upTo: null };

const reachIn = (viewer: Standing, right: "enter" | "view"): Reach => {
  const { id } = absencesPermissions[right];
  return viewer.rights.has(id) ? reachOf(viewer.rights.attribute(id, "whose"), viewer) : none;
};

/** For whom the viewer enters absences: of others, and never of a higher grade. */
export function reachOfEntering(viewer: Standing): Reach {
  const { any, upTo } = reachIn(viewer, "enter");
  return { any: false, own: false, upTo: any ? viewer.grade : upTo };
}

/** Whether the viewer may enter and cancel absences of somebody, who stands so in the job now. */
export function mayEnter(viewer: Standing, { id, grade }: { readonly id: number; readonly grade: number }): boolean {
  const member: Member = { characterId: id, job: viewer.job, grade };
  return covers(reachOfEntering(viewer), viewer, member);
}

/** Whether the viewer sees kinds and reasons of everybody in the job. */
export const seesAllKinds = (viewer: Standing): boolean => reachIn(viewer, "view").any;

/**
 * Of whom the viewer sees kinds and reasons, besides of what waits for their decision: who approves sees those of
 * lower grades, and who enters those for whom they may.
 */
export function reachOfDetails(viewer: Standing): Reach {
  const reach = reachIn(viewer, "view");
  const approves = viewer.rights.has(absencesPermissions.approve.id) ? viewer.grade - 1 : -1;
  const upTo = Math.max(reach.upTo ?? -1, reachOfEntering(viewer).upTo ?? -1, approves);
  return { ...reach, upTo: upTo < 0 ? reach.upTo : upTo };
}

/** Days, both included. */
export interface Span {
  readonly firstDay: string;
  readonly lastDay: string;
}

export function lengthOf({ firstDay, lastDay }: Span): number {
  return Math.round((Date.parse(lastDay) - Date.parse(firstDay)) / 86_400_000) + 1;
}

/** Throws for what is no day, and for days in the wrong order. */
export function requireSpan({ firstDay, lastDay }: Span, at: "body" | "query"): void {
  for (const [name, day] of Object.entries({ firstDay, lastDay }))
    if (!isDay(day)) throw invalid(`${at}.${name}`, "must be a day that is in the calendar");
  if (lastDay < firstDay) throw new AppError(absencesErrors.lastBeforeFirst, { params: { first: firstDay, last: lastDay } });
}

export type KindLimits = Pick<KindContent, "daysBack" | "daysAhead" | "mostDays">;

/** Throws for days that the kind does not allow. */
export function requireAllowed(span: Span, limits: KindLimits, today: string): void {
  const [earliest, latest] = [addDays(today, -limits.daysBack), addDays(today, limits.daysAhead)];
  if (span.firstDay < earliest) throw new AppError(absencesErrors.tooEarly, { params: { day: earliest } });
  if (span.lastDay > latest) throw new AppError(absencesErrors.tooLate, { params: { day: latest } });
  if (lengthOf(span) > limits.mostDays) throw new AppError(absencesErrors.tooLong, { params: { most: limits.mostDays } });
}

/** A stored absence, as far as it decides how it ends. */
export interface Ending extends Span {
  readonly state: AbsenceState;
}

/** How it ends when it is cancelled today: as a whole, or with the day before; null when nothing of it is left to cancel. */
export function endedFrom(absence: Ending, today: string): { state: AbsenceState; lastDay: string } | null {
  if (absence.lastDay < today && absence.state !== "requested") return null;
  const begun = absence.firstDay < today && absence.state === "approved";
  const state = nextState(absenceMachine, absence.state, begun ? "endEarly" : "cancel");
  if (state === null) return null;
  return { state, lastDay: begun ? addDays(today, -1) : absence.lastDay };
}

/** How many may be absent at once before the form warns: a share of the people, but always one. */
export function mostAtOnce(people: number, share: number | null): number | null {
  return share === null ? null : Math.max(1, Math.floor((people * share) / 100));
}

/**
 * How many are absent on each day between two, from spans with the number of people who have them. A job has thousands
 * of spans: each changes the count where it begins and after it ends, so that its days are not walked.
 */
export function countDays(spans: readonly (Span & { readonly n: number })[], within: Span): { day: string; absent: number }[] {
  const all = eachDay(within);
  const at = placesOf(all);
  const changes = all.map(() => 0);
  for (const { n, ...span } of spans) {
    const part = placeOf(span, within, at);
    if (part === null) continue;
    changes[part.first] = (changes[part.first] ?? 0) + n;
    if (part.last + 1 < all.length) changes[part.last + 1] = (changes[part.last + 1] ?? 0) - n;
  }
  let absent = 0;
  return all.map((day, i) => ({ day, absent: (absent += changes[i] ?? 0) })).filter((one) => one.absent > 0);
}

const placesOf = (all: readonly string[]): ReadonlyMap<string, number> => new Map(all.map((day, i) => [day, i]));

/** The numbers of the first and the last day of the part of a span that lies within. */
function placeOf(span: Span, within: Span, at: ReadonlyMap<string, number>): { first: number; last: number } | null {
  const part = overlapOf(span, within);
  const [first, last] = [at.get(part?.firstDay ?? ""), at.get(part?.lastDay ?? "")];
  return first === undefined || last === undefined ? null : { first, last };
}

/** Each day between two, both included. */
export function eachDay({ firstDay, lastDay }: Span): string[] {
  return Array.from({ length: lengthOf({ firstDay, lastDay }) }, (_, at) => addDays(firstDay, at));
}

/** The part of a span that lies in another; null where they do not touch. */
export function overlapOf(one: Span, other: Span): Span | null {
  const firstDay = one.firstDay > other.firstDay ? one.firstDay : other.firstDay;
  const lastDay = one.lastDay < other.lastDay ? one.lastDay : other.lastDay;
  return firstDay > lastDay ? null : { firstDay, lastDay };
}

/** On how many days people were absent within a time, by kind, the most first. */
export function countKinds(
  spans: readonly (Span & { readonly kindId: number | null; readonly n: number })[],
  within: Span,
): { kindId: number | null; days: number }[] {
  const at = placesOf(eachDay(within));
  const sums = new Map<number | null, number>();
  for (const { kindId, n, ...span } of spans) {
    const part = placeOf(span, within, at);
    if (part !== null) sums.set(kindId, (sums.get(kindId) ?? 0) + n * (part.last - part.first + 1));
  }
  return [...sums].map(([kindId, days]) => ({ kindId, days })).toSorted((a, b) => b.days - a.days);
}

/** The first and the last day of a month. */
export function daysOfMonth(month: string): Span {
  const firstDay = `${month}-01`;
  const next = addDays(firstDay, 31).slice(0, 7);
  return { firstDay, lastDay: addDays(`${next}-01`, -1) };
}

/** Viewers with an equal one export the same. */
export function scopeOf(viewer: Standing): string {
  return JSON.stringify([viewer.job, reachOfDetails(viewer), viewer.characterId]);
}
