import type { Viewer } from "#core/actor.ts";
import { foldLetters } from "#core/contract/fold.ts";
import { nextState } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { covers, reachOf } from "#core/rank.ts";
import { unitsErrors, unitsPermissions } from "./units.base.contract.ts";
import { type BaseKind, type UnitEvent, unitMachine } from "./units.machine.ts";

/** A status that is set again within this time is no entry. Milliseconds. */
export const sameStatusMs = 2 * 60_000;

/** A status: a base kind, perhaps by the name of a custom status. */
export interface Status {
  readonly base: BaseKind;
  readonly id: number | null;
}

/** What decides about the status of a unit. */
export interface Standing extends Status {
  /** When the status was set. */
  readonly since: number;
  readonly isStatic: boolean;
  readonly minCrew: number;
  readonly crew: number;
  readonly hasWork: boolean;
  /** The status before the open work. */
  readonly former: Status | null;
}

export interface Change {
  readonly event: UnitEvent;
  readonly to: Status;
}

const plain = (base: BaseKind): Status => ({ base, id: null });

/** Throws for an event that the table does not have: a fault of this file. */
function changeBy(from: Status, event: UnitEvent, custom: number | null = null): Change {
  const base = nextState(unitMachine, from.base, event);
  if (base === null) throw new Error(`a unit that is ${from.base} cannot get ${event}`);
  return { event, to: { base, id: custom } };
}

const isUnder = ({ minCrew }: Pick<Standing, "minCrew">, crew: number) => crew < Math.max(1, minCrew);

/** After its crew changed, or what counts for it: `before` is the standing until then. Null where it stays as it is. */
export function settle(
  before: Pick<Standing, "crew" | "minCrew">,
  now: Pick<Standing, "base" | "id" | "crew" | "minCrew" | "isStatic">,
  returns: boolean,
): Change | null {
  if (isUnder(now, now.crew)) {
    if (now.base === "unavailable") return null;
    return changeBy(now, now.crew === 0 ? "lastLeft" : "underMinimum");
  }
  if (now.isStatic) return now.base === "available" ? changeBy(now, "madeStatic") : null;
  const isBack = isUnder(before, before.crew) && now.base === "unavailable" && returns;
  return isBack ? changeBy(now, "minimumReached") : null;
}

const byHand: Readonly<Record<BaseKind, UnitEvent>> = {
  available: "setAvailable",
  busy: "setBusy",
  break: "setBreak",
  unavailable: "setUnavailable",
};

/** A unit that is this does not work: what it works is asked about. */
export const isPause = (base: BaseKind): boolean => base === "break" || base === "unavailable";

/** A status that somebody sets; null for no entry. Throws why it is refused. `chosen`: what becomes of the open work. */
export function setByHand(
  unit: Standing & { readonly name: string },
  wanted: Status,
  chosen: boolean,
  now: number,
): Change | null {
  const { name, minCrew: least, crew } = unit;
  if (wanted.base === "available" && unit.isStatic) throw new AppError(unitsErrors.staticUnit, { params: { name } });
  if (wanted.base !== "unavailable" && isUnder(unit, crew))
    throw new AppError(unitsErrors.underMinimum, { params: { name, crew, least: Math.max(1, least) } });
  if (isPause(wanted.base) && unit.hasWork && !chosen) throw new AppError(unitsErrors.openWork, { params: { name } });
  const isSame = unit.base === wanted.base && unit.id === wanted.id;
  if (isSame && now - unit.since < sameStatusMs) return null;
  return changeBy(unit, byHand[wanted.base], wanted.id);
}

/** The first open work of a unit. What it remembers is its status until then. Null where it is busy already. */
export function workBegan(unit: Standing): Change | null {
  return unit.base === "busy" ? null : changeBy(unit, "workBegan");
}

/** No open work is left. Who chose another status in the meantime keeps it. */
export function workEnded(unit: Standing): Change | null {
  const { former } = unit;
  if (unit.base !== "busy") return null;
  if (isUnder(unit, unit.crew)) return changeBy(unit, "workEndedUnready");
  if (former?.base === "break") return changeBy(unit, "workEndedAtBreak", former.id);
  if (unit.isStatic) return changeBy(unit, "workEndedUnready");
  return changeBy(unit, "workEnded", former?.base === "available" ? former.id : null);
}

/** A reminder `firstMs` after an instant and every `againMs` from then on: the next one after `now`. Milliseconds. */
export function nextReminder(from: number, { firstMs, againMs }: { firstMs: number; againMs: number }, now: number): number {
  const first = from + firstMs;
  return first > now ? first : first + (Math.floor((now - first) / againMs) + 1) * againMs;
}

export const initialStatus = plain(unitMachine.initial);

/** Nobody of its crew is there. */
export const isGrey = (states: readonly string[]): boolean => states.length > 0 && states.every((state) => state !== "on");

/** The jobs whose units a viewer sees; null for all. */
export function visibleJobs({ job, jobAdmin, rights }: Pick<Viewer, "job" | "jobAdmin" | "rights">): ReadonlySet<string> | null {
  if (jobAdmin !== null) return null;
  const { id } = unitsPermissions.view;
  const more = rights.has(id) ? rights.attribute(id, "jobs") : undefined;
  return new Set([job, ...(Array.isArray(more) ? (more as readonly string[]) : [])]);
}

/** How a search finds a unit; `wanted` is folded. Null where it does not. */
export function matchOf(wanted: string, { name, callsign }: { readonly name: string; readonly callsign: string | null }) {
  const texts = [name, ...(callsign === null ? [] : [callsign])].map(foldLetters);
  const words = [...texts, ...texts.flatMap((text) => text.split(/[\s-]+/u))];
  if (words.includes(wanted)) return { match: "whole", score: 1 } as const;
  return words.some((word) => word.startsWith(wanted)) ? ({ match: "beginning", score: 0.5 } as const) : null;
}

/** Viewers with an equal one see the same. */
export const classOf = (jobs: ReadonlySet<string> | null): string => (jobs === null ? "*" : JSON.stringify([...jobs].toSorted()));

type Mover = Pick<Viewer, "characterId" | "job" | "grade" | "rights">;

/** Whether the viewer may put this person of the own job into units. */
export function mayMove(viewer: Mover, person: { readonly id: number; readonly grade: number }): boolean {
  const { id } = unitsPermissions.assign;
  if (!viewer.rights.has(id)) return false;
  const member = { characterId: person.id, job: viewer.job, grade: person.grade };
  return covers(reachOf(viewer.rights.attribute(id, "whose"), viewer), viewer, member);
}
