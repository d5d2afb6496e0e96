import type { DutyEnding, DutyState } from "./duty.contract.ts";

const minute = 60_000;

/** A source that is silent for this long is silent. Milliseconds. */
export const silentAfterMs = minute;
/** Duties of a silent source end after this time. Milliseconds. */
export const silenceEndsMs = 15 * minute;
/** Who dropped has this long to come back. Milliseconds. */
export const graceMs = 5 * minute;
/** After a restart of a source, who is not named for this long is off duty. Milliseconds. */
export const restartEndsMs = 5 * minute;
/** A duty by hand ends after this time. Milliseconds. */
export const byHandEndsMs = 12 * 60 * minute;
/** A call of the boot before is one of a second game server within this time after the last one. Milliseconds. */
export const sharedForMs = 10 * minute;
/** A call of the boot before may have been on its way for this long after the next one began. Milliseconds. */
export const onItsWayMs = minute;
/** How far ahead of this clock the instant of an event may be. Milliseconds. */
export const mostAheadMs = 5 * minute;

/** The duty of one person who is on duty. */
export interface Duty {
  readonly job: string;
  /** In that job now. */
  readonly grade: number;
  /** When the duty began: that of its period. */
  readonly startGrade: number;
  readonly since: number;
  readonly by: "game" | "hand";
  /** The source that reported it; null by hand, until a source reports something about it. */
  readonly source: string | null;
  /** How often the source had restarted when the person was named last. */
  readonly bootCount: number;
  /** From when who dropped has time to come back: the drop, or when the source calls again; null while connected. */
  readonly missingAt: number | null;
}

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

/** What is known of a source. */
export interface Source {
  /** It has sent an event, so that its positions start and end no duty. */
  readonly sendsEvents: boolean;
  readonly boot: string | null;
  /** How often it has restarted: a boot may come again, in a call that was on its way for long. */
  readonly bootCount: number;
  /** Since when people have to be named in the present boot; null when it is the first one. */
  readonly bootSince: number | null;
  /** The boot before the present one, and when a call had it last; null when there was none. */
  readonly before: { readonly boot: string; readonly at: number } | null;
  readonly lastCallAt: number;
  /** From when its silence counts; null while it calls. */
  readonly silentFrom: number | null;
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
function seen<P extends Person>(person: P, at: number): P {
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

/** Rollcall was down while it was silent: it may have called, and nobody could receive it. */
export const isMissed = ({ silentFrom, lastCallAt }: Source): boolean => silentFrom !== null && silentFrom > lastCallAt;

/**
 * Until when people have to be named after a restart of their source; null without one, and from when Rollcall was down
 * until the source calls again: the time then begins again.
 */
export function namedBy(source: Source): number | null {
  return source.bootSince === null || isMissed(source) ? null : source.bootSince + restartEndsMs;
}

/**
 * The source after a time in which Rollcall was down. A silence counts from the first start after the last call: counted
 * from each start, it would never end while a process starts again and again.
 */
export const afterDown = (source: Source, now: number): Source =>
  isMissed(source) ? source : { ...source, silentFrom: now, lastCallAt: Math.min(source.lastCallAt, now - 1) };

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
    ends.push({ due: duty.missingAt + graceMs, end: lastSign("missing") });
  }
  if (game !== null && game.silentFrom !== null) ends.push({ due: game.silentFrom + silenceEndsMs, end: lastSign("silence") });
  const named = game === null ? null : namedBy(game);
  if (game !== null && named !== null && duty.bootCount !== game.bootCount) ends.push({ due: named, end: lastSign("restart") });
  return ends.toSorted((a, b) => a.due - b.due)[0] ?? null;
}

/** A source that has never called. */
export const unheard: Source = {
  sendsEvents: false,
  boot: null,
  bootCount: 0,
  bootSince: null,
  before: null,
  lastCallAt: 0,
  silentFrom: null,
};

/** The boot before called so short a time ago that this is not one of its game server's next runs. */
const isOfBefore = ({ before }: Source, boot: string | null, now: number): boolean =>
  before !== null && boot === before.boot && now - before.at <= sharedForMs;

/** Two game servers call as this source: the boot before goes on calling when no call of it can be on its way any more. */
export const isShared = ({ before, bootSince }: Source): boolean =>
  before !== null && bootSince !== null && before.at - bootSince >= onItsWayMs;

/** What a call of a source says about the source itself. */
export function afterCall(source: Source, boot: string | null, now: number): Source {
  const isBefore = isOfBefore(source, boot, now);
  const restarted = boot !== null && source.boot !== null && boot !== source.boot && !isBefore;
  const called = { ...source, lastCallAt: Math.max(source.lastCallAt, now), silentFrom: null };
  if (restarted) {
    return { ...called, boot, bootCount: source.bootCount + 1, bootSince: now, before: { boot: source.boot, at: now } };
  }
  return {
    ...called,
    boot: isBefore ? source.boot : (boot ?? source.boot),
    bootSince: source.bootSince !== null && isMissed(source) ? now : source.bootSince,
    before: isBefore ? { boot: boot!, at: now } : source.before,
  };
}

/** The source once it has been silent for so long; null while it is not, or was known to be. */
export function fallenSilent(source: Source, now: number): Source | null {
  const due = source.lastCallAt + silentAfterMs;
  if (source.silentFrom !== null || now < due) return null;
  // Nobody looked for longer than the silence itself: Rollcall was down, and received nothing.
  const looked = now - due <= silentAfterMs;
  return looked ? { ...source, silentFrom: source.lastCallAt } : afterDown(source, now);
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

/** Who reports an event. */
export interface Reporter {
  readonly source: string;
  readonly bootCount: number;
  /** The call named its boot, and that is one which runs. */
  readonly saysBoot: boolean;
}

/** Who calls, after the call was noted. */
export function reporterOf(name: string, source: Source, boot: string | null): Reporter {
  return { source: name, bootCount: source.bootCount, saysBoot: boot !== null && (boot === source.boot || isShared(source)) };
}

/** When an event counts: not ahead of this clock, unless that of another process was there already. */
export function instantOf({ duty, appliedAt, endedAt }: Person, at: number, now: number): number {
  return Math.min(at, Math.max(now, appliedAt, duty?.since ?? endedAt));
}

/** A duty that a person begins in the browser. */
export function dutyByHand(job: string, grade: number, since: number): Duty {
  return { job, grade, startGrade: grade, since, by: "hand", source: null, bootCount: 0, missingAt: null };
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
    return { person: { ...person, duty: { ...duty, grade, by: "game", source, bootCount } }, ended: null, applied: true };
  const ended = duty && endAt(duty, at, "switched");
  const begun: Duty = { job, grade, startGrade: grade, since: at, by: "game", source, bootCount, missingAt: null };
  return { person: { ...(ended ? off(person, ended) : person), duty: begun }, ended, applied: true };
}

/** A source that names somebody of its own says in which boot, as far as it says in which boot it is. */
function named(person: Person, { source, bootCount, saysBoot }: Reporter): Person {
  const { duty } = person;
  return duty?.source === source && saysBoot ? { ...person, duty: { ...duty, bootCount } } : person;
}

/** A position, as far as duty is concerned. */
export interface Sign {
  /** The job that it names; null for none. */
  readonly job: string | null;
  readonly grade: number;
  readonly remove: boolean;
  readonly at: number;
}

/**
 * The person after a position. Of a source that sends no events, positions begin and end duty: `job` is then one that
 * the person holds, or null when there is none.
 */
export function applySign(
  person: Person,
  sign: Sign,
  reporter: Reporter,
  sendsEvents: boolean,
): { person: Person; ended: Ended | null } {
  const { duty } = person;
  const { job, grade, remove, at } = sign;
  if (remove) {
    if (sendsEvents || duty?.by !== "game" || duty.source !== reporter.source) return { person, ended: null };
    const ended = endAt(duty, at, "off");
    return { person: off(person, ended), ended };
  }
  if (duty !== null) return { person: named(seen(person, at), reporter), ended: null };
  if (sendsEvents || job === null) return { person, ended: null };
  const { source, bootCount } = reporter;
  // Not before the end of the last one, which another process's clock may have set.
  const since = Math.max(at, person.endedAt);
  const begun: Duty = { job, grade, startGrade: grade, since, by: "game", source, bootCount, missingAt: null };
  return { person: { ...seen(person, at), duty: begun }, ended: null };
}
