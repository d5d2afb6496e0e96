import type { Call } from "./calls.queries.ts";

/** In metres; null where one of them has no place. */
export function distanceOf({ place: a }: Pick<Call, "place">, { place: b }: Pick<Call, "place">): number | null {
  return a === null || b === null ? null : Math.hypot(a.x - b.x, a.y - b.y);
}

/** Calls that this one can be merged with. */
export const mergeable = (call: Call, calls: readonly Call[]): Call[] =>
  others(
    call,
    calls.filter(({ state, may }) => state === "open" && may.includes("merge")),
  );

/** The other ones: of the same type first, then the nearest, then the latest. */
export function others(call: Call, calls: readonly Call[]): Call[] {
  const rank = (one: Call) => ({
    isOther: call.type === null || one.type?.id !== call.type.id ? 1 : 0,
    distance: distanceOf(call, one) ?? Number.POSITIVE_INFINITY,
  });
  return calls
    .filter(({ id }) => id !== call.id)
    .map((one) => ({ one, ...rank(one) }))
    .toSorted((a, b) => a.isOther - b.isOther || (a.distance === b.distance ? b.one.id - a.one.id : a.distance - b.distance))
    .map(({ one }) => one);
}

/** The older one stays. */
export function olderOf<T extends Pick<Call, "id" | "createdAt">>(one: T, other: T): T {
  return one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.id < other.id) ? one : other;
}

/** Uniting the jobs of both would change something. */
export function differInJobs({ jobs: a }: Pick<Call, "jobs">, { jobs: b }: Pick<Call, "jobs">): boolean {
  const names = new Set(a.map(({ name }) => name));
  return names.size !== b.length || b.some(({ name }) => !names.has(name));
}
