import type { Call } from "@rollcall/server/contract/calls";
import type { Unit } from "@rollcall/server/contract/units";

/** Something that calls and units show to have happened. */
export interface Happening {
  readonly key: string;
  readonly at: number;
  readonly what:
    | "created"
    | "panic"
    | "split"
    | "merged"
    | "handOver"
    | "handedOver"
    | "handOverOver"
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
  /** Name of the unit or of the other job or call, or what is said of the call. */
  readonly about: string;
  /** Of a custom status. */
  readonly status: string | null;
}

export const mostHappenings = 100;

type Feeding = Pick<
  Call,
  "id" | "kind" | "message" | "createdAt" | "waitingSince" | "ended" | "state" | "units" | "mergedInto" | "handOver" | "jobs"
>;
type FeedingUnit = Pick<Unit, "id" | "name" | "status" | "deleted">;

/** What calls and units show at an instant. */
export interface Shown {
  readonly calls: readonly Feeding[];
  readonly units: readonly FeedingUnit[];
  readonly at: number;
}

/** A call that was split off has been waiting for longer than it exists. */
const beganAs = ({ kind, waitingSince, createdAt }: Feeding) =>
  waitingSince < createdAt ? "split" : kind === "panic" ? "panic" : "created";

function ofCall(call: Feeding): Happening[] {
  const { id, message, createdAt, waitingSince, ended, state, units, mergedInto, handOver } = call;
  const about = { call: id, about: message, status: null };
  const happened: Happening[] = [{ ...about, key: `${id} created`, at: createdAt, what: beganAs(call) }];
  if (waitingSince > createdAt)
    happened.push({ ...about, key: `${id} reopened ${waitingSince}`, at: waitingSince, what: "reopened" });
  if (ended !== null && (state === "completed" || state === "cancelled"))
    happened.push({ ...about, key: `${id} ended ${ended.at}`, at: ended.at, what: state, about: ended.text ?? message });
  if (ended !== null && state === "merged" && mergedInto !== null)
    happened.push({ ...about, key: `${id} merged ${ended.at}`, at: ended.at, what: "merged", about: `#${mergedInto}` });
  if (handOver !== null)
    happened.push({
      ...about,
      key: `${id} handOver ${handOver.at}`,
      at: handOver.at,
      what: "handOver",
      about: handOver.to.label,
    });
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

/** Hand overs that were asked for before and are not any more: calls do not say when one was answered. */
function answered({ calls: before }: Shown, { calls, at }: Shown): Happening[] {
  const now = new Map(calls.map((call) => [call.id, call]));
  return before.flatMap(({ id, handOver }) => {
    const call = now.get(id);
    if (handOver === null || call === undefined || call.handOver?.at === handOver.at) return [];
    const isTaken = call.jobs.some(({ name }) => name === handOver.to.name);
    const what = isTaken ? ("handedOver" as const) : ("handOverOver" as const);
    return [{ key: `${id} answered ${handOver.at}`, at, what, call: id, about: handOver.to.label, status: null }];
  });
}

/** What the present state says, the latest first; with what earlier states said of what has changed since. */
export function happenings(known: readonly Happening[], before: Shown | null, now: Shown): readonly Happening[] {
  const shown = [...now.calls.flatMap(ofCall), ...now.units.filter(({ deleted }) => !deleted).map(ofUnit)];
  const all = new Map([...shown, ...(before === null ? [] : answered(before, now)), ...known].map((one) => [one.key, one]));
  return [...all.values()].toSorted((a, b) => b.at - a.at || (a.key < b.key ? 1 : -1)).slice(0, mostHappenings);
}
