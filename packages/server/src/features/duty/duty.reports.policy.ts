import type { CharacterWithJobs } from "#features/citizens/citizens.reads.ts";
import type { JobMeanings } from "#features/jobs/jobs.api.ts";
import { instantProblem } from "#features/sync/sync.times.api.ts";
import type { BatchItem, ItemProblem } from "#features/sync/sync.batch.api.ts";
import type { SyncDutyItem } from "./duty.contract.ts";
import { apply, endAt, type Ended, instantOf, isLate, mostAheadMs, off, type Person, type PersonEvent } from "./duty.policy.ts";
import type { NewPeriod, NewReport, StoredPerson } from "./duty.repo.ts";
import type { EventTimes, Reporter } from "./duty.sources.policy.ts";
import type { PersonChange } from "./duty.store.service.ts";

export type Items = readonly BatchItem<SyncDutyItem>[];

/** What is stored of the events and characters of a call; read once for its problems and its effect. */
export interface Known {
  readonly repeated: ReadonlySet<string>;
  /** By the game's identifier. */
  readonly characters: ReadonlyMap<string, CharacterWithJobs>;
  readonly meanings: JobMeanings;
}

/** When events happened, as far as they say it by an instant that may be one; of a past duty its end counts. */
export function timesOf(items: readonly unknown[], now: number): EventTimes | null {
  const times = items.flatMap((item) => {
    const { at, endedAt } = Object(item) as { at?: unknown; endedAt?: unknown };
    const time = typeof endedAt === "number" ? endedAt : at;
    return Number.isSafeInteger(time) && instantProblem(Number(time), now) === null ? Number(time) : [];
  });
  return times.length === 0 ? null : { first: Math.min(...times), last: Math.max(...times) };
}

/** What an event says wrong by itself. */
export function problemOf({ event, job, at, endedAt }: SyncDutyItem, now: number): ItemProblem | null {
  if (at > now + mostAheadMs) return { field: "at", problem: "is more than 5 minutes ahead; set the clock of the game server" };
  const problem = instantProblem(at, now);
  if (problem !== null) return { field: "at", problem };
  if ((event === "on" || event === "past") && (job ?? null) === null) return { field: "job", problem: "is missing" };
  if (event !== "past") return null;
  if ((endedAt ?? null) === null) return { field: "endedAt", problem: "is missing" };
  if (endedAt! <= at || endedAt! > now) return { field: "endedAt", problem: "must be after `at` and not in the future" };
  return null;
}

/** Of what has no effect any more, because it was reported before or is too old, nothing more is asked. */
export function problemsOf(
  items: Items,
  { repeated, characters, meanings }: Known,
  people: ReadonlyMap<number, Person>,
): Map<string, ItemProblem> {
  const problems = new Map<string, ItemProblem>();
  for (const { id, item } of items) {
    const character = characters.get(item.identifier);
    const person = character && people.get(character.id);
    const isDone = person !== undefined && item.event !== "past" && isLate(person, item);
    if (repeated.has(id) || isDone) continue;
    if (character === undefined) {
      problems.set(id, { field: "identifier", problem: "is not known; send the character (`users`) first" });
    } else if (item.event === "on" && jobOf(item.job!, character, meanings).kind === "unknown") {
      problems.set(id, { field: "job", problem: "is not one of the character's jobs; send the character (`users`) first" });
    } else if (item.event === "past" && !isKnown(item.job!, character, meanings)) {
      problems.set(id, { field: "job", problem: "is not known; send the job (`jobs`) first" });
    }
  }
  return problems;
}

/** Those that were not reported before, in the order in which they happened. */
export const freshOf = (items: Items, { repeated }: Pick<Known, "repeated">): Items =>
  items.filter(({ id }) => !repeated.has(id)).toSorted((a, b) => a.item.at - b.item.at || a.index - b.index);

export interface Unheld {
  readonly citizenId: number;
  readonly job: string;
}

/** Who was reported on duty in a job that the character does not hold. */
export function unheldOf(items: Items, problems: ReadonlyMap<string, ItemProblem>, { characters }: Known): Unheld[] {
  return items.flatMap(({ id, item: { event, identifier, job = null } }) => {
    const character = characters.get(identifier);
    const isUnheld = event === "on" && problems.get(id)?.field === "job";
    return isUnheld && character !== undefined && job !== null ? { citizenId: character.id, job } : [];
  });
}

/** What the game says by the name of a job: works there, is off duty there, has no work at all, or nothing that is known. */
type Meant =
  | { readonly kind: "held"; readonly job: string; readonly grade: number }
  | { readonly kind: "off"; readonly job: string }
  | { readonly kind: "noWork" }
  | { readonly kind: "unknown" };

function jobOf(name: string, { jobs }: CharacterWithJobs, meanings: JobMeanings): Meant {
  const { job, offDuty } = meanings.of(
    name,
    jobs.map((one) => one.job),
  );
  if (offDuty) return { kind: "off", job };
  if (!meanings.isWork(job)) return { kind: "noWork" };
  const held = jobs.find((one) => one.job === job);
  return held === undefined ? { kind: "unknown" } : { kind: "held", job, grade: held.grade };
}

/** A job that people may have been on duty in, whether the character holds it or not. */
const isKnown = (name: string, character: CharacterWithJobs, meanings: JobMeanings): boolean => {
  const { kind } = jobOf(name, character, meanings);
  return kind === "held" || (kind === "unknown" && meanings.exists(name));
};

/** What the events of a call change, one after the other. */
export class Run {
  readonly reports: NewReport[] = [];
  readonly past: NewPeriod[] = [];
  readonly jobsReported = new Set<string>();
  readonly #people: Map<number, StoredPerson>;
  readonly #before: ReadonlyMap<number, StoredPerson>;
  readonly #ended = new Map<number, Ended[]>();
  readonly #reporter: Reporter;
  readonly #meanings: JobMeanings;
  readonly #now: number;

  constructor(people: ReadonlyMap<number, StoredPerson>, reporter: Reporter, meanings: JobMeanings, now: number) {
    this.#people = new Map(people);
    this.#before = people;
    this.#reporter = reporter;
    this.#meanings = meanings;
    this.#now = now;
  }

  take(item: SyncDutyItem, character: CharacterWithJobs): void {
    const at = item.event === "past" ? item.at : instantOf(this.#people.get(character.id)!, item.at, this.#now);
    const applied = item.event === "past" ? this.#takePast(item, character) : this.#takeEvent(item, character, at);
    this.reports.push({
      source: this.#reporter.source,
      event_key: item.key,
      citizen_id: character.id,
      event: item.event,
      job: item.job ?? null,
      at,
      ended_at: item.endedAt ?? null,
      received_at: this.#now,
      applied: applied ? 1 : 0,
    });
  }

  #takePast({ at, endedAt, job, grade }: SyncDutyItem, { id, jobs }: CharacterWithJobs): boolean {
    const held = jobs.find((one) => one.job === job);
    this.past.push({
      citizenId: id,
      job: job!,
      grade: grade ?? held?.grade ?? 0,
      from: at,
      to: endedAt!,
      by: "game",
      ending: "off",
      estimated: false,
      source: this.#reporter.source,
      proposed: true,
    });
    return true;
  }

  #takeEvent(item: SyncDutyItem, character: CharacterWithJobs, at: number): boolean {
    const person = this.#people.get(character.id)!;
    const job = jobReported(item, character, this.#meanings);
    if (job !== null) this.jobsReported.add(job);
    const event = eventOf(item, character, this.#meanings, at);
    if (event === null) return false;
    const { person: after, ended, applied } = apply(person, event, this.#reporter);
    if (!applied) return false;
    this.#put(person, after, ended);
    if (event.event === "loaded" && character.licence !== "") this.#endOthers(character, at);
    return true;
  }

  /** A player is one character at a time. */
  #endOthers({ id, licence }: CharacterWithJobs, at: number): void {
    for (const other of this.#people.values()) {
      if (other.citizenId === id || other.licence !== licence || other.duty === null) continue;
      // What is newer than this has happened since.
      if (at < other.appliedAt || at < other.duty.since) continue;
      const ended = endAt(other.duty, at, "otherCharacter");
      this.#put(other, off(other, ended), ended);
    }
  }

  #put(person: StoredPerson, after: Person, ended: Ended | null): void {
    this.#people.set(person.citizenId, { ...person, ...after });
    if (ended === null) return;
    const all = this.#ended.get(person.citizenId) ?? [];
    this.#ended.set(person.citizenId, [...all, ended]);
  }

  changes(): PersonChange[] {
    return [...this.#people].map(([id, after]) => ({ before: this.#before.get(id)!, after, ended: this.#ended.get(id) ?? [] }));
  }
}

/** Of which job the game reports duty with this event, also where it comes too late to have an effect. */
function jobReported({ event, job = null }: SyncDutyItem, character: CharacterWithJobs, meanings: JobMeanings): string | null {
  if (job === null || (event !== "on" && event !== "off")) return null;
  const meant = meanings.of(
    job,
    character.jobs.map((one) => one.job),
  );
  return isKnown(meant.job, character, meanings) ? meant.job : null;
}

/** Null for a late beginning in a job that the character does not hold any more: it is no end of another duty. */
function eventOf(
  { event, job = null, grade }: SyncDutyItem,
  character: CharacterWithJobs,
  meanings: JobMeanings,
  at: number,
): PersonEvent | null {
  if (event === "dropped" || event === "loaded") return { event, at };
  const meant = job === null ? null : jobOf(job, character, meanings);
  if (event === "on" && meant?.kind === "held") return { event: "on", job: meant.job, grade: grade ?? meant.grade, at };
  if (event === "on" && meant?.kind === "unknown") return null;
  if (meant?.kind === "held" || meant?.kind === "off") return { event: "off", job: meant.job, at };
  // Games report people without a job as on duty in what they call that: they are off duty everywhere.
  return { event: "off", job: event === "on" ? null : job, at };
}
