import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import { invalid } from "#core/invalid.ts";
import { covers, type Member, type Reach, reachOf } from "#core/rank.ts";
import { addDays, isDay, type Zone } from "#core/zone.ts";
import type { DutyEnding } from "#features/duty/duty.contract.ts";
import {
  correctedDays,
  type CorrectionRequest,
  lateAfterMs,
  mostDays,
  type Target,
  timeclockErrors,
  timeclockPermissions,
} from "./timeclock.contract.ts";
import type { EntryState } from "./timeclock.machine.ts";

type Standing = Pick<Viewer, "characterId" | "job" | "grade" | "rights">;

/** Instants, half-open. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

export const intervalOf = ({ from_at, to_at }: { readonly from_at: number; readonly to_at: number }): Interval => {
  return { from: from_at, to: to_at };
};

/** Whether this request asks for the entry, which no duty is behind: it then carries the number of the request. */
export const isMissing = ({ period_id }: { readonly period_id: number }, correctionId: number): boolean =>
  period_id === -correctionId;

/** What of an interval lies on one local day. */
export interface DayPart {
  readonly day: string;
  /** The first instant of the day. */
  readonly dayAt: number;
  readonly seconds: number;
}

const wholeSeconds = (instant: number): number => Math.floor(instant / 1000);

/** By whole instants, so that the parts of an interval, and intervals that follow each other, have no second twice or never. */
export const secondsOf = ({ from, to }: Interval): number => Math.max(0, wholeSeconds(to) - wholeSeconds(from));

/** Divided at local midnights, by the seconds that passed: a day may have 23 or 25 hours. */
export function dayParts(zone: Pick<Zone, "dayOf" | "startOf">, { from, to }: Interval): DayPart[] {
  const parts: DayPart[] = [];
  let day = zone.dayOf(from);
  for (let dayAt = zone.startOf(day); dayAt < to;) {
    const next = addDays(day, 1);
    const nextAt = zone.startOf(next);
    const seconds = secondsOf({ from: Math.max(from, dayAt), to: Math.min(to, nextAt) });
    if (seconds > 0) parts.push({ day, dayAt, seconds });
    [day, dayAt] = [next, nextAt];
  }
  return parts;
}

const reportedEndings: ReadonlySet<string> = new Set<DutyEnding>(["off", "switched", "jobLost", "otherCharacter"]);

/** An end that was reported late does not count before somebody has confirmed it. */
export function stateOnArrival(
  { proposed, ending, to }: { readonly proposed: boolean; readonly ending: string; readonly to: number },
  arrivedAt: number,
): EntryState {
  const isLate = reportedEndings.has(ending) && arrivedAt - to > lateAfterMs;
  return proposed || isLate ? "proposed" : "counted";
}

/** The part of an interval that lies in another one. */
export const within = ({ from, to }: Interval, span: Interval): Interval => {
  return { from: Math.max(from, span.from), to: Math.min(to, span.to) };
};

/** Whether two intervals have a part of time in common. */
export const overlap = (a: Interval, b: Interval): boolean => a.from < b.to && b.from < a.to;

/** Nobody. */
const none: Reach = { any: false, own: false, upTo: null };

/** Whose hours the viewer sees besides the own ones: who decides about corrections sees those of lower grades. */
export function reachOfHours(viewer: Standing): Reach {
  const { approve, view } = timeclockPermissions;
  const reach = viewer.rights.has(view.id) ? reachOf(viewer.rights.attribute(view.id, "whose"), viewer) : none;
  if (!viewer.rights.has(approve.id)) return { ...reach, own: true };
  return { ...reach, own: true, upTo: Math.max(reach.upTo ?? -1, viewer.grade - 1) };
}

export const seesHours = (viewer: Standing, person: Pick<Member, "characterId" | "grade">): boolean =>
  covers(reachOfHours(viewer), viewer, { ...person, job: viewer.job });

/** Viewers with an equal one export the same. */
export const scopeOf = (viewer: Standing): string => JSON.stringify([viewer.job, reachOfHours(viewer), viewer.characterId]);

/** Days, both included. */
export interface Range {
  readonly firstDay: string;
  readonly lastDay: string;
}

export const lengthOf = ({ firstDay, lastDay }: Range): number =>
  Math.round((Date.parse(lastDay) - Date.parse(firstDay)) / 86_400_000) + 1;

/** Throws for what is no day, for days in the wrong order, and for too many of them. */
export function requireRange({ firstDay, lastDay }: Range): void {
  for (const [name, day] of Object.entries({ firstDay, lastDay }))
    if (!isDay(day)) throw invalid(`query.${name}`, "must be a day that is in the calendar");
  if (lastDay < firstDay) throw new AppError(timeclockErrors.lastBeforeFirst, { params: { first: firstDay, last: lastDay } });
  if (lengthOf({ firstDay, lastDay }) > mostDays) throw new AppError(timeclockErrors.tooManyDays, { params: { most: mostDays } });
}

const day = 86_400_000;

/**
 * Days without an entry, from the later of hire and last entry, days of absence left out. Null where neither is known:
 * somebody who was there before Rollcall looked and never worked.
 */
export function idleDays(
  { hiredAt, workedAt }: { readonly hiredAt: number | null; readonly workedAt: number | null },
  absences: readonly Interval[],
  now: number,
): number | null {
  if (hiredAt === null && workedAt === null) return null;
  const since = Math.max(hiredAt ?? 0, workedAt ?? 0);
  const absent = absences.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, now) - Math.max(from, since)), 0);
  return Math.max(0, Math.floor((now - since - absent) / day));
}

type LocalZone = Pick<Zone, "instantsOf" | "dayOf" | "startOf" | "iso" | "name">;

/** The instant of a local time; throws for one that never occurs, and for one that occurs twice unless it says which. */
function instantOf(zone: LocalZone, time: string, chosen: "earlier" | "later" | null, at: "from" | "to"): number {
  const [day = "", clock = ""] = time.split("T");
  const params = { day, time: clock, zone: zone.name };
  const found = instantsOf(zone, time, at);
  if (found.length === 0) throw new AppError(timeclockErrors.neverTime, { params });
  if (found.length > 1 && chosen === null) throw new AppError(timeclockErrors.twiceTime, { params });
  return found[chosen === "later" ? found.length - 1 : 0]!;
}

function instantsOf(zone: LocalZone, time: string, at: "from" | "to"): number[] {
  try {
    return zone.instantsOf(time);
  } catch (error) {
    if (error instanceof RangeError) throw new AppError(at === "from" ? timeclockErrors.noFrom : timeclockErrors.noTo);
    throw error;
  }
}

/** The interval that somebody asks for; throws for one that no correction may have. */
export function correctedInterval(
  zone: LocalZone,
  { from, fromWhich = null, to, toWhich = null }: Times,
  old: Interval,
  now: number,
): Interval {
  // A time that is left as it is shown stays the exact instant.
  const exact = (time: string, which: "earlier" | "later" | null, kept: number, at: "from" | "to") =>
    which === null && zone.iso(kept).startsWith(time) ? kept : instantOf(zone, time, which, at);
  const wanted = { from: exact(from, fromWhich, old.from, "from"), to: exact(to, toWhich, old.to, "to") };
  requirePast(zone, wanted, Math.min(wanted.from, old.from), now);
  if (wanted.from === old.from && wanted.to === old.to) throw new AppError(timeclockErrors.unchanged);
  return wanted;
}

/** The interval of an entry that somebody misses; throws for one that nobody may ask for. */
export function missingInterval(zone: LocalZone, { from, fromWhich = null, to, toWhich = null }: Times, now: number): Interval {
  const wanted = { from: instantOf(zone, from, fromWhich, "from"), to: instantOf(zone, to, toWhich, "to") };
  requirePast(zone, wanted, wanted.from, now);
  return wanted;
}

type Times = Omit<CorrectionRequest, "version" | "reason">;

function requirePast(zone: LocalZone, wanted: Interval, first: number, now: number): void {
  if (wanted.to <= wanted.from) throw new AppError(timeclockErrors.endBeforeStart);
  if (wanted.to > now) throw new AppError(timeclockErrors.future);
  const earliest = addDays(zone.dayOf(now), -correctedDays);
  if (first < zone.startOf(earliest)) throw new AppError(timeclockErrors.tooOld, { params: { day: earliest } });
}

/** Hours a week that the job wants of a grade; null for none. */
export const targetOf = (targets: readonly Target[], grade: number): number | null =>
  targets.find((one) => one.grade === grade)?.hours ?? null;
