import type { DutySign } from "./duty.api.ts";
import { type Duty, endAt, type Ended, isSameDuty, named, off, type Person, seen } from "./duty.policy.ts";
import type { Reporter } from "./duty.sources.policy.ts";

/** A position, as far as duty is concerned. */
export interface Sign {
  /** The job that it names; null for none. */
  readonly job: string | null;
  readonly grade: number;
  /** It names that job by what the game calls it off duty. */
  readonly offDuty: boolean;
  readonly remove: boolean;
  readonly at: number;
}

/** Whether a position ends this duty: only one that positions of the same source began, for that is what they take back. */
export function endsDuty(duty: Duty, { job, offDuty, remove }: Omit<Sign, "at">, source: string, sendsEvents: boolean): boolean {
  if (sendsEvents || duty.by !== "game" || duty.source !== source) return false;
  return remove || (offDuty && job === duty.job);
}

/**
 * The person after a position. Of a source that sends no events, positions begin and end duty: `job` is then one that
 * the person holds, or null when there is none. What it names is newer than how the character was called before.
 */
export function applySign(
  person: Person,
  sign: Sign,
  reporter: Reporter,
  sendsEvents: boolean,
): { person: Person; ended: Ended | null } {
  const { duty } = person;
  const { job, grade, offDuty, remove, at } = sign;
  if (duty !== null && endsDuty(duty, sign, reporter.source, sendsEvents)) {
    const ended = endAt(duty, at, "off");
    return { person: off(remove ? person : seen(person, at), ended), ended };
  }
  if (remove) return { person, ended: null };
  if (duty !== null) return { person: named(seen(person, at), reporter), ended: null };
  if (sendsEvents || job === null || offDuty) return { person, ended: null };
  const { source, bootCount } = reporter;
  // Not before the end of the last one, which another process's clock may have set.
  const since = Math.max(at, person.endedAt);
  const begun: Duty = {
    job,
    grade,
    startGrade: grade,
    since,
    by: "game",
    source,
    bootCount,
    missingAt: null,
    unnamedSince: null,
  };
  return { person: { ...seen(person, at), duty: begun }, ended: null };
}

/** Whether a position changes more than the last sign of life. */
export function changesDuty(duty: Duty | null, sign: Omit<Sign, "at">, reporter: Reporter, sendsEvents: boolean): boolean {
  const person: Person = { duty, seenAt: 0, endedAt: 0, appliedAt: 0 };
  return !isSameDuty(applySign(person, { ...sign, at: 0 }, reporter, sendsEvents).person.duty, duty);
}

/** A job that the game names of somebody who is on duty in another one; without a duty, one that is not held. */
export interface Mismatch {
  readonly named: string;
  readonly duty: string | null;
}

/** What a position says against the duty; null where it says nothing against it. */
export function mismatchOf(sign: DutySign, duty: Duty | null, sendsEvents: boolean): Mismatch | null {
  const { named: name, job, offDuty, remove } = sign;
  if (name === null || remove) return null;
  if (job === null) return offDuty ? null : { named: name, duty: null };
  if (duty === null) return null;
  // Who is on duty by hand may be off duty in the game.
  const contradicts = offDuty ? job === duty.job && duty.by === "game" && sendsEvents : job !== duty.job;
  return contradicts ? { named: name, duty: duty.job } : null;
}
