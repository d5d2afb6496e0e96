import { type DutyEnding, type DutyState, dutyGraceMs } from "./duty.contract.ts";
import { asksForNames, isMissed, namedBy, type Reporter, silenceEndsMs, type Source } from "./duty.sources.policy.ts";

const minute = 60_000;

/** A duty by hand ends after this time. Milliseconds. */
export const byHandEndsMs = 12 * 60 * minute;
/** How far ahead of this clock the instant of an event may be. Milliseconds. */
export const mostAheadMs = 5 * minute;

interface AnyDuty {
  readonly job: string;
  /** In that job now. */
  readonly grade: number;
  /** When the duty began: that of its period. */
  readonly startGrade: number;
  readonly since: number;
  /** How often the source had restarted when the person was named last. */
  readonly bootCount: number;
  /** From when who dropped has time to come back: the drop, or when the source calls again; null while connected. */
  readonly missingAt: number | null;
  /** When the first boot began that has not named the person: another one does not give more time. Null while named. */
  readonly unnamedSince: number | null;
}

/** By whom: the source that reported it, or none by hand, until a source reports something about it. */
type By = { readonly by: "game"; readonly source: string } | { readonly by: "hand"; readonly source: null };

/** The duty of one person who is on duty. */
export type Duty = AnyDuty & By;

/** What is known of a person: the duty, and up to when events were applied. */
export interface Person {
  readonly duty: Duty | null;
  /** The last sign of life. */
  readonly seenAt: number;
  /** Where the last duty ended: no other one begins before. */
  readonly endedAt: number;
  /** The instant of the latest event that was applied; an older one has no effect. */
  readonly appliedAt: number;
}

/** A duty that has ended. */
export interface Ended {
  readonly duty: Duty;
  readonly to: number;
  readonly ending: DutyEnding;
}

const estimatedEndings: ReadonlySet<DutyEnding> = new Set(["missing", "silence", "restart"]);

/** Whether the end is the last sign of life instead of an instant that somebody reported. */
export const isEstimated = (ending: DutyEnding): boolean => estimatedEndings.has(ending);

/** Of the game: nobody knows whether the person is still there. A duty by hand needs no source. */
function isUncertain(duty: Duty, source: Source | null): boolean {
  if (duty.by === "hand" || source === null) return false;
  return source.silentFrom !== null || (source.bootSince !== null && duty.bootCount !== source.bootCount);
}

export function stateOf(duty: Duty, source: Source | null): DutyState {
  if (isUncertain(duty, source)) return "uncertain";
  return duty.missingAt === null ? "on" : "missing";
}

/** With a sign of life: the player is there. */
export function seen<P extends Person>(person: P, at: number): P {
  const { duty, seenAt } = person;
  return { ...person, duty: duty && { ...duty, missingAt: null }, seenAt: Math.max(seenAt, at) };
}

/** The end that somebody reported for `at`, which is not before the duty began. */
export function endAt(duty: Duty, at: number, ending: DutyEnding): Ended {
  return { duty, to: Math.max(duty.since, at), ending };
}

/** The person after the end of a duty. */
export function off<P extends Person>(person: P, { to }: Ended): P {
  return { ...person, duty: null, endedAt: Math.max(person.endedAt, to) };
}

/** A duty of the source, when that has restarted or Rollcall was down: from when the person has to be named. */
export function afterRestart(duty: Duty, before: Source, after: Source): Duty {
  if (!asksForNames(before, after) || duty.bootCount === after.bootCount) return duty;
  return { ...duty, unnamedSince: isMissed(before) ? after.bootSince : (duty.unnamedSince ?? after.bootSince) };
}

/** When a duty ends on its own, and how; null when nothing ends it. */
export function dueEnd({ duty, seenAt }: Person, source: Source | null): { readonly due: number; readonly end: Ended } | null {
  if (duty === null) return null;
  const lastSign = (ending: DutyEnding) => endAt(duty, seenAt, ending);
  const ends: { due: number; end: Ended }[] = [];
  const game = duty.by === "game" ? source : null;
  if (duty.by === "hand") {
    const to = duty.since + byHandEndsMs;
    ends.push({ due: to, end: { duty, to, ending: "limit" } });
  }
  if (duty.missingAt !== null && game?.silentFrom == null) {
    ends.push({ due: duty.missingAt + dutyGraceMs, end: lastSign("missing") });
  }
  if (game !== null && game.silentFrom !== null) ends.push({ due: game.silentFrom + silenceEndsMs, end: lastSign("silence") });
  const named = game === null ? null : namedBy(game, duty);
  if (game !== null && named !== null && duty.bootCount !== game.bootCount) ends.push({ due: named, end: lastSign("restart") });
  return ends.toSorted((a, b) => a.due - b.due)[0] ?? null;
}

/** When the grace of who dropped, or the longest time by hand, is over: what its source does is looked at for all of its people. */
export function ownEnd(person: Person, sources: ReadonlyMap<string, Source>): number | null {
  const { duty } = person;
  if (duty === null || (duty.missingAt === null && duty.by === "game")) return null;
  const source = duty.source === null ? null : (sources.get(duty.source) ?? null);
  const end = dueEnd(person, source);
  return end !== null && (end.end.ending === "missing" || end.end.ending === "limit") ? end.due : null;
}

export function isSameDuty(a: Duty | null, b: Duty | null): boolean {
  if (a === null || b === null) return a === b;
  return (Object.keys(a) as (keyof Duty)[]).every((field) => a[field] === b[field]);
}

/** Nothing is to be stored. */
export function isSamePerson<P extends Person & { readonly licence: string }>(before: P, after: P): boolean {
  if (before.appliedAt !== after.appliedAt || before.licence !== after.licence) return false;
  if (before.seenAt !== after.seenAt || before.endedAt !== after.endedAt) return false;
  return isSameDuty(before.duty, after.duty);
}

/** An event of the game about one person. */
export type PersonEvent =
  | { readonly event: "on"; readonly job: string; readonly grade: number; readonly at: number }
  | { readonly event: "off"; readonly job: string | null; readonly at: number }
  | { readonly event: "dropped"; readonly at: number }
  | { readonly event: "loaded"; readonly at: number };

export interface Applied {
  readonly person: Person;
  readonly ended: Ended | null;
  /** False for an event that is older than one applied. */
  readonly applied: boolean;
}

/** When an event counts: not ahead of this clock, unless that of another process was there already. */
export function instantOf({ duty, appliedAt, endedAt }: Person, at: number, now: number): number {
  return Math.min(at, Math.max(now, appliedAt, duty?.since ?? endedAt));
}

/** A duty that a person begins in the browser. */
export function dutyByHand(job: string, grade: number, since: number): Duty {
  return { job, grade, startGrade: grade, since, by: "hand", source: null, bootCount: 0, missingAt: null, unnamedSince: null };
}

/** Older than an event that was applied, or the beginning of a duty before the present one or the end of the last. */
export function isLate(
  { duty, appliedAt, endedAt }: Person,
  { event, at }: { readonly event: string; readonly at: number },
): boolean {
  return at < appliedAt || (event === "on" && at < (duty?.since ?? endedAt));
}

/** The person after an event of the game; of equal instants the one that arrives later counts. */
export function apply(person: Person, event: PersonEvent, reporter: Reporter): Applied {
  const { at } = event;
  const { duty } = person;
  if (isLate(person, event)) return { person, ended: null, applied: false };
  const known: Person = { ...person, appliedAt: at };
  const after = (next: Person, ended: Ended | null = null): Applied => ({ person: next, ended, applied: true });
  switch (event.event) {
    case "on":
      return applyOn(seen(known, at), event, reporter);
    case "off": {
      if (duty === null || (event.job !== null && event.job !== duty.job)) return after(known);
      const ended = endAt(duty, at, "off");
      return after(off(seen(known, at), ended), ended);
    }
    case "dropped": {
      // Until then the player was there.
      const there = named(seen(known, at), reporter);
      return after({ ...there, duty: there.duty && { ...there.duty, missingAt: at } });
    }
    case "loaded":
      return after(seen(known, at));
  }
}

function applyOn(person: Person, { job, grade, at }: Extract<PersonEvent, { event: "on" }>, by: Reporter): Applied {
  const { duty } = person;
  const { source, bootCount } = by;
  if (duty?.job === job)
    return {
      person: { ...person, duty: { ...duty, grade, by: "game", source, bootCount, unnamedSince: null } },
      ended: null,
      applied: true,
    };
  const ended = duty && endAt(duty, at, "switched");
  const begun: Duty = {
    job,
    grade,
    startGrade: grade,
    since: at,
    by: "game",
    source,
    bootCount,
    missingAt: null,
    unnamedSince: null,
  };
  return { person: { ...(ended ? off(person, ended) : person), duty: begun }, ended, applied: true };
}

/** A source that names somebody of its own says in which boot, as far as it says in which boot it is. */
export function named(person: Person, { source, bootCount, saysBoot }: Reporter): Person {
  const { duty } = person;
  return duty?.source === source && saysBoot ? { ...person, duty: { ...duty, bootCount, unnamedSince: null } } : person;
}
