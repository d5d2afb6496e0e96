import type { Call } from "@rollcall/server/contract/calls";
import { baseKinds, type BaseKind, type Unit } from "@rollcall/server/contract/units";

/** Open calls: panics first, then the most urgent, of the same priority the one that waits longest. */
export function callRows<C extends Pick<Call, "id" | "state" | "kind" | "priority" | "waitingSince">>(
  calls: readonly C[],
): readonly C[] {
  const rank = ({ kind, priority }: C) => (kind === "panic" ? 0 : priority);
  return calls
    .filter(({ state }) => state === "open")
    .toSorted((a, b) => rank(a) - rank(b) || a.waitingSince - b.waitingSince || a.id - b.id);
}

/**
 * Rows in the order in which they stand under the pointer: those that have ended stay until it is gone, and new ones come
 * last. Only a panic takes its place on top at once.
 */
export function heldRows<C extends Pick<Call, "id" | "kind">>(
  rows: readonly C[],
  held: readonly number[] | null,
  calls: readonly C[],
): readonly C[] {
  if (held === null) return rows;
  const places = new Map(held.map((id, at) => [id, at]));
  const panics = rows.filter(({ id, kind }) => kind === "panic" && !places.has(id));
  const standing = calls.filter(({ id }) => places.has(id)).toSorted((a, b) => places.get(a.id)! - places.get(b.id)!);
  return [...panics, ...standing, ...rows.filter(({ id, kind }) => kind !== "panic" && !places.has(id))];
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

const byNumber = new Intl.Collator("en", { numeric: true });

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
    .toSorted((a, b) => b.calls.length - a.calls.length || byNumber.compare(a.at, b.at));
}

/** While nothing is open: people on duty, units with a crew and how many of them are free, and calls that ended just now. */
export function quietOf(
  calls: readonly Pick<Call, "state">[],
  { items, free }: { readonly items: readonly Unit[]; readonly free: readonly unknown[] },
) {
  const crewed = items.filter(({ deleted, crew }) => !deleted && crew.length > 0);
  return {
    people: crewed.reduce((sum, { crew }) => sum + crew.length, free.length),
    crewed: crewed.length,
    available: crewed.filter(({ status, grey }) => status.base === "available" && !grey).length,
    ended: calls.filter(({ state }) => state === "completed" || state === "cancelled").length,
  };
}
