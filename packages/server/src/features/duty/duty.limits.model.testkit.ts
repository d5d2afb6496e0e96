// The numbers of the reference model, and what it asks without its own state. Rule numbers as in duty.model.ts.

import type { Person, Source } from "./duty.types.model.testkit.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const AHEAD_LIMIT = 5 * MINUTE; // rule 1
export const GRACE = 5 * MINUTE; // rule 6
export const SILENT_AFTER = 60 * SECOND; // rule 7
export const SILENCE_ENDS_AFTER = 15 * MINUTE; // rule 7
export const BOOT_WINDOW = 5 * MINUTE; // rule 9
export const HAND_LIMIT = 12 * HOUR; // rule 10
export const SHARED_FOR = 10 * MINUTE; // rule 16
export const ON_ITS_WAY = MINUTE; // rule 16

export function newSource(name: string, now: number): Source {
  const calling = { lastCallAt: now, silent: false, missed: false, sendsDuty: false };
  return { name, boot: null, earlier: new Map(), startedAt: now, changedAt: now, ...calling };
}

export function holds(person: Person, job: string | null): boolean {
  return job !== null && person.jobs.includes(job);
}
