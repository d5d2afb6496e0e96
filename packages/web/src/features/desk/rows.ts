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

/** What is at one postal code. */
export interface PlaceGroup<C> {
  readonly postal: string;
  readonly calls: readonly C[];
  /** `home`: its postal code of the setup, while it works nowhere. */
  readonly units: readonly { readonly unit: Unit; readonly home: boolean }[];
}

/** Calls and units by postal code: a unit is where its call is, and otherwise at its home. */
export function placesOf<C extends Pick<Call, "id" | "postal" | "units">>(
  calls: readonly C[],
  units: readonly Unit[],
): readonly PlaceGroup<C>[] {
  const work = workOf(calls);
  const places = new Map<string, { calls: C[]; units: { unit: Unit; home: boolean }[] }>();
  const at = (postal: string) => places.get(postal) ?? places.set(postal, { calls: [], units: [] }).get(postal)!;
  for (const call of calls) if (call.postal !== null) at(call.postal).calls.push(call);
  for (const unit of units) {
    if (unit.deleted || unit.crew.length === 0) continue;
    const on = work.get(unit.id)?.find(({ postal }) => postal !== null)?.postal ?? null;
    const postal = on ?? unit.homePostal;
    if (postal !== null) at(postal).units.push({ unit, home: on === null });
  }
  return [...places]
    .map(([postal, found]) => ({ postal, ...found }))
    .toSorted((a, b) => b.calls.length - a.calls.length || a.postal.localeCompare(b.postal, "en", { numeric: true }));
}
