import type { Viewer } from "#core/actor.ts";
import { nextState } from "#core/contract/index.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { AppError } from "#core/errors.ts";
import { type Reach, reachOf } from "#core/rank.ts";
import { addDays, isDay } from "#core/zone.ts";
import { absencesErrors, absencesPermissions, type KindContent } from "./absences.base.contract.ts";
import { absenceMachine, type AbsenceState } from "./absences.machine.ts";

type Standing = Pick<Viewer, "characterId" | "job" | "grade" | "rights">;

/** Nobody. */
const none: Reach = { any: false, own: false, upTo: null };

/** Of whom the viewer sees kinds and reasons, besides of what waits for their decision: who approves sees those of lower grades. */
export function reachOfDetails(viewer: Standing): Reach {
  const { approve, view } = absencesPermissions;
  const reach = viewer.rights.has(view.id) ? reachOf(viewer.rights.attribute(view.id, "whose"), viewer) : none;
  if (!viewer.rights.has(approve.id)) return reach;
  return { ...reach, upTo: Math.max(reach.upTo ?? -1, viewer.grade - 1) };
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

/** How many are absent on each day between two, from spans with the number of people who have them. */
export function countDays(spans: readonly (Span & { readonly n: number })[], within: Span): { day: string; absent: number }[] {
  const counts = new Map<string, number>();
  for (const { firstDay, lastDay, n } of spans) {
    const last = lastDay < within.lastDay ? lastDay : within.lastDay;
    for (let day = firstDay > within.firstDay ? firstDay : within.firstDay; day <= last; day = addDays(day, 1))
      counts.set(day, (counts.get(day) ?? 0) + n);
  }
  return [...counts].map(([day, absent]) => ({ day, absent })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
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

export const invalid = (field: string, problem: string) => new AppError(guardErrors.invalidInput, { params: { field, problem } });
