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
/** How far ahead of this clock the instant of an event may be. Milliseconds. */
export const mostAheadMs = 5 * minute;

/** The duty of one person who is on duty. */
export interface Duty {
  readonly job: string;
  readonly grade: number;
  readonly since: number;
  readonly by: "game" | "hand";
  /** The source that reported it; null by hand, until a source reports something about it. */
  readonly source: string | null;
  /** The boot of the source in which the person was named last. */
  readonly boot: string | null;
  /** The last sign of life. */
  readonly seenAt: number;
  /** When the player dropped; null while connected. */
  readonly missingAt: number | null;
}

/** What is known of a person: the duty, and up to when events were applied. */
export interface Person {
  readonly duty: Duty | null;
  /** The instant of the latest event that was applied; an older one has no effect. */
  readonly appliedAt: number;
}

/** What is known of a source. */
export interface Source {
  /** It has sent an event, so that its positions start and end no duty. */
  readonly sendsEvents: boolean;
  readonly boot: string | null;
  /** Since when people have to be named in the present boot; null when it is the first one. */
  readonly bootSince: number | null;
  readonly lastCallAt: number;
  /** Its first call, or the first after it was silent. */
  readonly callingSince: number;
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
  return source.silentFrom !== null || (source.bootSince !== null && duty.boot !== source.boot);
}

export function stateOf(duty: Duty, source: Source | null): DutyState {
  if (isUncertain(duty, source)) return "uncertain";
  return duty.missingAt === null ? "on" : "missing";
}

/** The duty with a sign of life: the person is there. */
export function seen(duty: Duty, at: number): Duty {
  return { ...duty, seenAt: Math.max(duty.seenAt, at), missingAt: null };
}

/** The end that somebody reported for `at`, which is not before the duty began. */
export function endAt(duty: Duty, at: number, ending: DutyEnding): Ended {
  return { duty, to: Math.max(duty.since, at), ending };
}

function endAtSign(duty: Duty, ending: DutyEnding): Ended {
  return { duty, to: Math.max(duty.since, duty.seenAt), ending };
}

/** When a duty ends on its own, and how; null when nothing ends it. */
export function dueEnd(duty: Duty, source: Source | null): { readonly due: number; readonly end: Ended } | null {
  const ends: { due: number; end: Ended }[] = [];
  const game = duty.by === "game" ? source : null;
  if (duty.by === "hand") {
    const to = duty.since + byHandEndsMs;
    ends.push({ due: to, end: { duty, to, ending: "limit" } });
  }
  if (duty.missingAt !== null && game?.silentFrom == null) {
    const from = Math.max(duty.missingAt, game?.callingSince ?? 0);
    ends.push({ due: from + graceMs, end: endAtSign(duty, "missing") });
  }
  if (game !== null && game.silentFrom !== null)
    ends.push({ due: game.silentFrom + silenceEndsMs, end: endAtSign(duty, "silence") });
  if (game !== null && game.bootSince !== null && duty.boot !== game.boot)
    ends.push({ due: game.bootSince + restartEndsMs, end: endAtSign(duty, "restart") });
  return ends.toSorted((a, b) => a.due - b.due)[0] ?? null;
}

/** What a call of a source says about the source itself. */
export function afterCall(source: Source | null, boot: string | null, now: number): Source {
  if (source === null) {
    return { sendsEvents: false, boot, bootSince: null, lastCallAt: now, callingSince: now, silentFrom: null };
  }
  const restarted = boot !== null && source.boot !== null && boot !== source.boot;
  return {
    ...source,
    boot: boot ?? source.boot,
    bootSince: restarted ? now : source.bootSince,
    lastCallAt: Math.max(source.lastCallAt, now),
    callingSince: source.silentFrom === null ? source.callingSince : now,
    silentFrom: null,
  };
}

/** The source once it has been silent for so long; null while it is not, or was known to be. */
export function fallenSilent(source: Source, now: number): Source | null {
  const due = source.lastCallAt + silentAfterMs;
  if (source.silentFrom !== null || now < due) return null;
  // Nobody looked for longer than the silence itself: Rollcall was down, and received nothing.
  const looked = now - due <= silentAfterMs;
  return { ...source, silentFrom: looked ? source.lastCallAt : now };
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
  readonly boot: string | null;
}

/** The person after an event of the game; `at` is not later than the receiver's clock. */
export function apply(person: Person, event: PersonEvent, reporter: Reporter): Applied {
  const { at } = event;
  if (at < person.appliedAt) return { person, ended: null, applied: false };
  const after = (duty: Duty | null, ended: Ended | null = null): Applied => ({
    person: { duty, appliedAt: at },
    ended,
    applied: true,
  });
  const { duty } = person;
  switch (event.event) {
    case "on":
      return applyOn(duty, event, reporter, after);
    case "off":
      if (duty === null || (event.job !== null && event.job !== duty.job)) return after(duty);
      return after(null, endAt(duty, at, "off"));
    case "dropped":
      return after(duty && { ...duty, ...named(duty, reporter), missingAt: duty.missingAt ?? at });
    case "loaded":
      return after(duty && { ...seen(duty, at), ...named(duty, reporter) });
  }
}

type After = (duty: Duty | null, ended?: Ended | null) => Applied;

function applyOn(
  duty: Duty | null,
  { job, grade, at }: Extract<PersonEvent, { event: "on" }>,
  by: Reporter,
  after: After,
): Applied {
  if (duty?.job === job) return after({ ...seen(duty, at), grade, by: "game", source: by.source, boot: by.boot });
  const begun: Duty = { job, grade, since: at, by: "game", source: by.source, boot: by.boot, seenAt: at, missingAt: null };
  return after(begun, duty && endAt(duty, at, "switched"));
}

/** A source that names somebody of its own says in which boot. */
function named(duty: Duty, { source, boot }: Reporter): Pick<Duty, "boot"> {
  return { boot: duty.source === source ? (boot ?? duty.boot) : duty.boot };
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
  if (sign.remove) {
    const ends = !sendsEvents && duty !== null && duty.by === "game" && duty.source === reporter.source;
    return ends ? { person: { ...person, duty: null }, ended: endAt(duty, sign.at, "off") } : { person, ended: null };
  }
  if (duty !== null) return { person: { ...person, duty: { ...seen(duty, sign.at), ...named(duty, reporter) } }, ended: null };
  if (sendsEvents || sign.job === null) return { person, ended: null };
  const { job, grade, at } = sign;
  const begun: Duty = { job, grade, since: at, by: "game", ...reporter, seenAt: at, missingAt: null };
  return { person: { ...person, duty: begun }, ended: null };
}
