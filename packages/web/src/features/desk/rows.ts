import type { Call } from "@rollcall/server/contract/calls";
import { baseKinds, type BaseKind, type Unit } from "@rollcall/server/contract/units";

/** Open calls, the most urgent first, of the same priority the one that waits longest. */
export function callRows<C extends Pick<Call, "id" | "state" | "priority" | "waitingSince">>(calls: readonly C[]): readonly C[] {
  return calls
    .filter(({ state }) => state === "open")
    .toSorted((a, b) => a.priority - b.priority || a.waitingSince - b.waitingSince || a.id - b.id);
}

/** How much of the wait limit is over, from 0 to 1. */
export function waited(waitingSince: number, waitSeconds: number, now: number): number {
  return Math.min(1, Math.max(0, (now - waitingSince) / (waitSeconds * 1000)));
}

/** Of open calls: how many nobody was asked for, and since when the first of them waits. */
export function waitingOf(calls: readonly Pick<Call, "progress" | "waitingSince">[]) {
  const waiting = calls.filter(({ progress }) => progress === "waiting");
  return { count: waiting.length, since: waiting.length === 0 ? null : Math.min(...waiting.map((one) => one.waitingSince)) };
}

export interface UnitGroup {
  readonly base: BaseKind;
  readonly units: readonly Unit[];
}

/** Units by status as a dispatcher looks for them: available ones first, who is free for longest before others. */
export function unitGroups(units: readonly Unit[]): readonly UnitGroup[] {
  const live = units.filter(({ deleted }) => !deleted);
  return baseKinds
    .map((base) => ({
      base,
      units: live
        .filter(({ status }) => status.base === base)
        .toSorted((a, b) => Number(a.grey) - Number(b.grey) || a.status.since - b.status.since || a.id - b.id),
    }))
    .filter((group) => group.units.length > 0);
}

/** The open calls that each unit works or is asked for, by the unit. */
export function workOf<C extends Pick<Call, "units">>(calls: readonly C[]): ReadonlyMap<number, readonly C[]> {
  const found = new Map<number, C[]>();
  for (const call of calls) for (const { unit } of call.units) found.set(unit.id, [...(found.get(unit.id) ?? []), call]);
  return found;
}

/** What is at one place. */
export interface PlaceGroup<C> {
  /** A postal code, or where none is known the point in metres. */
  readonly at: string;
  readonly calls: readonly C[];
  /** `home`: its postal code of the setup, while it works nowhere. */
  readonly units: readonly { readonly unit: Unit; readonly home: boolean }[];
}

const placeOf = ({ postal, place }: Pick<Call, "postal" | "place">): string | null =>
  postal ?? (place === null ? null : `${Math.round(place.x)}, ${Math.round(place.y)}`);

/** Calls and units by place: a unit is where its call is, and otherwise at its home. */
export function placesOf<C extends Pick<Call, "id" | "postal" | "place" | "units">>(
  calls: readonly C[],
  units: readonly Unit[],
): readonly PlaceGroup<C>[] {
  const work = workOf(calls);
  const places = new Map<string, { calls: C[]; units: { unit: Unit; home: boolean }[] }>();
  const there = (at: string) => places.get(at) ?? places.set(at, { calls: [], units: [] }).get(at)!;
  for (const call of calls) {
    const at = placeOf(call);
    if (at !== null) there(at).calls.push(call);
  }
  for (const unit of units) {
    if (unit.deleted || unit.crew.length === 0) continue;
    const on =
      work
        .get(unit.id)
        ?.map(placeOf)
        .find((at) => at !== null) ?? null;
    const at = on ?? unit.homePostal;
    if (at !== null) there(at).units.push({ unit, home: on === null });
  }
  return [...places]
    .map(([at, found]) => ({ at, ...found }))
    .toSorted((a, b) => b.calls.length - a.calls.length || a.at.localeCompare(b.at, "en", { numeric: true }));
}
