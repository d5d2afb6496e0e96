import type { Viewer } from "#core/actor.ts";
import type { GradesOfJob } from "#core/contract/index.ts";
import type { LastReport } from "#features/duty/duty.api.ts";
import type { DutyPerson } from "#features/duty/duty.contract.ts";
import { type OwnPlace, type Place, positionsPermissions } from "./positions.contract.ts";

/** Where a position comes from. */
export interface Origin {
  readonly source: string;
  readonly boot: string | null;
  /** When it was taken, by the clock of the source. */
  readonly takenAt: number;
}

/** What processes know of a character's place. Viewers get what `shown` makes of it. */
export interface KnownPlace extends Omit<Place, "name" | "job" | "grade" | "state">, Origin {
  readonly id: number;
  readonly hidden: boolean;
}

/** A character whose place was removed: kept as long as a place, so that no process takes one of before. */
export interface GonePlace extends Origin {
  readonly id: number;
  readonly gone: true;
}

/** What is published under the key of a character. */
export type Reported = KnownPlace | GonePlace;

/** The place, unless it was removed. */
export const placeIn = (reported: Reported | null): KnownPlace | null =>
  reported === null || "gone" in reported ? null : reported;

/** What a value decides about what its own character gets. */
export function aspectOf(reported: Reported | null): "none" | "hidden" | "open" {
  const place = placeIn(reported);
  if (place === null) return "none";
  return place.hidden ? "hidden" : "open";
}

/** Somebody on duty, as far as places are concerned. */
export type CurrentDuty = Pick<DutyPerson, "name" | "job" | "state">;

/** Which places a viewer sees: of which grades of which jobs; null for all. */
export interface ViewScope {
  /** Sees places: on duty with a place that is not hidden, or exempt from that. */
  readonly admitted: boolean;
  readonly jobs: Readonly<Record<string, GradesOfJob>> | null;
}

/** On duty in the job that the rights follow: duty in a second job opens nothing of the first one. */
export const isOnDuty = (duty: CurrentDuty | null, { job }: Pick<Viewer, "job">): boolean => duty?.job.name === job;

/** Of a viewer on duty, known and not hidden. Who has no such place sees none of others. */
export const isOpen = (duty: CurrentDuty | null, place: KnownPlace | null, viewer: Pick<Viewer, "job">): boolean =>
  isOnDuty(duty, viewer) && place !== null && !place.hidden;

export function scopeOf({ jobAdmin, rights }: Pick<Viewer, "jobAdmin" | "rights">, hasOpenPlace: boolean): ViewScope {
  if (jobAdmin !== null) return { admitted: true, jobs: null };
  const jobs = rights.attribute(positionsPermissions.view.id, "jobs");
  const named = jobs !== undefined && !Array.isArray(jobs) ? (jobs as Readonly<Record<string, GradesOfJob>>) : {};
  return { admitted: hasOpenPlace, jobs: named };
}

/** Viewers with an equal one see the same. */
export function classOf({ admitted, jobs }: ViewScope): string {
  if (!admitted) return "none";
  return jobs === null ? "all" : JSON.stringify(Object.entries(jobs).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a viewer gets of a place; null for nothing. */
export function shown({ admitted, jobs }: ViewScope, duty: CurrentDuty | null, place: KnownPlace): Place | null {
  if (!admitted || duty === null || place.hidden) return null;
  const { name: job, grade } = duty.job;
  if (jobs !== null && !includes(jobs[job], grade)) return null;
  const { x, y, z, heading, speed, vehicle, postal } = place;
  return { name: duty.name, job, grade, state: duty.state, x, y, z, heading, speed, vehicle, postal };
}

function includes(grades: GradesOfJob | undefined, grade: number): boolean {
  if (grades === undefined) return false;
  return typeof grades === "number" ? grade <= grades : grades.includes(grade);
}

/** What game servers report now. `isKnown`: some place is, which is kept for longer than a game server may be silent. */
export function reportsOf(last: LastReport | null, isKnown: boolean, isDemo: boolean): OwnPlace["reports"] {
  if (isKnown && last?.isSilent !== true) return "places";
  if (last?.isSilent === false) return "nobody";
  if (isDemo) return "demo";
  return last === null ? "never" : "silent";
}

const inOneOrder = (known: Origin | null, { source, boot }: Pick<Origin, "source" | "boot">): known is Origin =>
  known !== null && known.source === source && known.boot === boot;

/**
 * Whether a position has an effect on the place that is known: another boot of the source begins a new order. Of equal
 * instants the one that arrives later counts: hidden and removed in the same moment has to be hidden and removed.
 */
export function isCurrent(known: Origin | null, from: Origin): boolean {
  return !inOneOrder(known, from) || from.takenAt >= known.takenAt;
}

/**
 * When a position counts as taken whose call does not say it: in the order of arrival, also when a process whose clock
 * is ahead of this one took the last.
 */
export function arrivedAt(known: Origin | null, from: Pick<Origin, "source" | "boot">, now: number): number {
  return inOneOrder(known, from) ? Math.max(now, known.takenAt) : now;
}
