import type { Call } from "@rollcall/server/contract/calls";
import type { Unit } from "@rollcall/server/contract/units";

/** Something that calls and units show to have happened. */
export interface Happening {
  readonly key: string;
  readonly at: number;
  readonly what:
    | "created"
    | "reopened"
    | "completed"
    | "cancelled"
    | "offered"
    | "accepted"
    | "enRoute"
    | "onScene"
    | "needsHelp"
    | "available"
    | "busy"
    | "break"
    | "unavailable";
  readonly call: number | null;
  /** Name of the unit, or what is said of the call. */
  readonly about: string;
  /** Of a custom status. */
  readonly status: string | null;
}

export const mostHappenings = 100;

type Feeding = Pick<Call, "id" | "message" | "createdAt" | "waitingSince" | "ended" | "state" | "units">;
type FeedingUnit = Pick<Unit, "id" | "name" | "status" | "deleted">;

function ofCall({ id, message, createdAt, waitingSince, ended, state, units }: Feeding): Happening[] {
  const about = { call: id, about: message, status: null };
  const happened: Happening[] = [{ ...about, key: `${id} created`, at: createdAt, what: "created" }];
  if (waitingSince > createdAt)
    happened.push({ ...about, key: `${id} reopened ${waitingSince}`, at: waitingSince, what: "reopened" });
  if (ended !== null && (state === "completed" || state === "cancelled"))
    happened.push({ ...about, key: `${id} ended ${ended.at}`, at: ended.at, what: state, about: ended.text ?? message });
  for (const { id: on, unit, state: progress, needsHelp, since } of units) {
    const by = { call: id, about: unit.name, status: null, at: since };
    happened.push({ ...by, key: `${on} ${progress} ${since}`, what: progress });
    if (needsHelp) happened.push({ ...by, key: `${on} help`, what: "needsHelp" });
  }
  return happened;
}

const ofUnit = ({ id, name, status }: FeedingUnit): Happening => ({
  key: `unit ${id} ${status.base} ${status.id} ${status.since}`,
  ...{ at: status.since, what: status.base, call: null, about: name, status: status.name },
});

/** What the present state says, the latest first; with what earlier states said of what has changed since. */
export function happenings(
  before: readonly Happening[],
  calls: readonly Feeding[],
  units: readonly FeedingUnit[],
): readonly Happening[] {
  const now = [...calls.flatMap(ofCall), ...units.filter(({ deleted }) => !deleted).map(ofUnit)];
  const all = new Map([...now, ...before].map((one) => [one.key, one]));
  return [...all.values()].toSorted((a, b) => b.at - a.at || (a.key < b.key ? 1 : -1)).slice(0, mostHappenings);
}
