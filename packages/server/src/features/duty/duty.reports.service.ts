import type { Actor } from "#core/actor.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import { type CharacterWithJobs, charactersWithJobs } from "#features/citizens/citizens.reads.ts";
import type { JobMeanings, JobsApi } from "#features/jobs/jobs.api.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { BatchItem, ItemProblem } from "#features/sync/sync.batch.api.ts";
import type { BatchResult } from "#features/sync/sync.contract.ts";
import { SyncDutyItem, syncDuty } from "./duty.contract.ts";
import {
  apply,
  endAt,
  instantOf,
  isLate,
  mostAheadMs,
  off,
  type Person,
  type PersonEvent,
  type Reporter,
  reporterOf,
} from "./duty.policy.ts";
import * as repo from "./duty.repo.ts";
import type { StoredPerson } from "./duty.repo.ts";
import type { DutyRulesService } from "./duty.rules.service.ts";
import type { DutySources } from "./duty.sources.service.ts";
import type { DutyStore, PersonChange, PersonKey } from "./duty.store.service.ts";

export interface DutyReportsDeps {
  readonly clock: Clock;
  readonly sync: SyncApi;
  readonly jobs: Pick<JobsApi, "meanings">;
  readonly store: DutyStore;
  readonly sources: DutySources;
  readonly rules: DutyRulesService;
  heartbeat(source: string, boot: string | null): Promise<void>;
}

interface Body {
  readonly source?: string;
  readonly boot?: string | null;
  readonly items: readonly unknown[];
}

type Items = readonly BatchItem<SyncDutyItem>[];
type Characters = ReadonlyMap<string, CharacterWithJobs>;

/** What game servers report. */
export class DutyReports {
  readonly #deps: DutyReportsDeps;

  constructor(deps: DutyReportsDeps) {
    this.#deps = deps;
  }

  async sync(call: CallContext, { source = "default", boot = null, items }: Body): Promise<BatchResult> {
    if (items.length === 0) {
      await this.#deps.heartbeat(source, boot);
      return { accepted: 0, unchanged: 0, rejected: [] };
    }
    const { jobs } = this.#deps;
    let known: Known | null = null;
    const result = await this.#deps.sync.applyBatch<SyncDutyItem>(call, {
      kind: "duty",
      action: syncDuty.id,
      schema: SyncDutyItem,
      source,
      items,
      idOf: ({ key }) => key,
      problemOf: (item) => this.#problemOf(item),
      problemsIn: async (tx, valid) => {
        await this.#deps.sources.lock(tx, source);
        known = await readKnown(tx, jobs, source, valid);
        return await problemsIn(tx, valid, known);
      },
      apply: async (tx, valid) => await this.#apply(tx, { actor: call.actor, source, boot, known: known! }, valid),
    });
    // Nothing was applied, and the source is there all the same.
    if (result.rejected.length === items.length) await this.#deps.heartbeat(source, boot);
    return result;
  }

  #problemOf({ event, job, at, endedAt }: SyncDutyItem): ItemProblem | null {
    const now = this.#deps.clock.now();
    if (at > now + mostAheadMs) return { field: "at", problem: "is more than 5 minutes ahead; set the clock of the game server" };
    if ((event === "on" || event === "past") && (job ?? null) === null) return { field: "job", problem: "is missing" };
    if (event !== "past") return null;
    if ((endedAt ?? null) === null) return { field: "endedAt", problem: "is missing" };
    if (endedAt! <= at || endedAt! > now) return { field: "endedAt", problem: "must be after `at` and not in the future" };
    return null;
  }

  async #apply(tx: Tx, { actor, source, boot, known }: Reported, items: Items): Promise<number> {
    const { store, sources, rules, clock } = this.#deps;
    const now = clock.now();
    const { repeated, characters: all, meanings } = known;
    const fresh = items.filter(({ id }) => !repeated.has(id)).toSorted((a, b) => a.item.at - b.item.at || a.index - b.index);
    const characters = new Map(fresh.map(({ item: { identifier } }) => [identifier, all.get(identifier)!] as const));
    const mates = await matesOf(tx, fresh, characters);
    const keys = [...mates, ...characters.values()];
    const { source: caller, people } = await sources.noteCall(tx, { name: source, boot, sendsEvents: true, people: keys });
    const run = new Run(people, reporterOf(source, caller, boot), meanings, now);
    for (const { item } of fresh) run.take(item, characters.get(item.identifier)!);
    await repo.insertReports(tx, run.reports);
    await repo.insertPeriods(tx, run.past);
    await rules.gameReports(tx, actor, run.jobsReported, now);
    await store.save(tx, run.changes(), new Map([[source, caller]]));
    return fresh.length;
  }
}

/** Others of the licences of characters that load, which ends their duty. */
async function matesOf(tx: Tx, items: Items, characters: Characters): Promise<PersonKey[]> {
  const loaded = items.filter(({ item }) => item.event === "loaded").flatMap(({ item }) => characters.get(item.identifier) ?? []);
  const licences = new Set(loaded.map(({ licence }) => licence).filter((one) => one !== ""));
  return (await repo.onDutyOfLicences(tx, [...licences])).map((id) => ({ id, licence: "" }));
}

interface Reported {
  readonly actor: Actor;
  readonly source: string;
  readonly boot: string | null;
  readonly known: Known;
}

/** What is stored of the events and characters of a call; read once for its problems and its effect. */
interface Known {
  readonly repeated: ReadonlySet<string>;
  readonly characters: Characters;
  readonly meanings: JobMeanings;
}

async function readKnown(tx: Tx, jobs: Pick<JobsApi, "meanings">, source: string, items: Items): Promise<Known> {
  const repeated = await repo.reportedKeys(
    tx,
    source,
    items.map(({ id }) => id),
  );
  const characters = await charactersWithJobs(tx, [...new Set(items.map(({ item }) => item.identifier))]);
  return { repeated, characters, meanings: await jobs.meanings(tx) };
}

/** Of what has no effect any more, because it was reported before or is too old, nothing more is asked. */
async function problemsIn(tx: Tx, items: Items, { repeated, characters, meanings }: Known): Promise<Map<string, ItemProblem>> {
  const stored = await repo.readPeople(
    tx,
    [...characters.values()].map(({ id }) => id),
  );
  const people = new Map(stored.map((one) => [one.citizenId, one]));
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

/** One batch, event by event. */
class Run {
  readonly reports: Parameters<typeof repo.insertReports>[1][number][] = [];
  readonly past: repo.NewPeriod[] = [];
  readonly jobsReported = new Set<string>();
  readonly #people: Map<number, StoredPerson>;
  readonly #before: ReadonlyMap<number, StoredPerson>;
  readonly #ended = new Map<number, PersonChange["ended"][number][]>();
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
    const event = eventOf(item, character, this.#meanings, at);
    const job = event.event === "on" || event.event === "off" ? event.job : null;
    if (job !== null && isKnown(job, character, this.#meanings)) this.jobsReported.add(job);
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

  #put(person: StoredPerson, after: Person, ended: PersonChange["ended"][number] | null): void {
    this.#people.set(person.citizenId, { ...person, ...after });
    if (ended === null) return;
    const all = this.#ended.get(person.citizenId) ?? [];
    this.#ended.set(person.citizenId, [...all, ended]);
  }

  changes(): PersonChange[] {
    return [...this.#people].map(([id, after]) => ({ before: this.#before.get(id)!, after, ended: this.#ended.get(id) ?? [] }));
  }
}

function eventOf(
  { event, job = null, grade }: SyncDutyItem,
  character: CharacterWithJobs,
  meanings: JobMeanings,
  at: number,
): PersonEvent {
  if (event === "dropped" || event === "loaded") return { event, at };
  const meant = job === null ? null : jobOf(job, character, meanings);
  if (event === "on" && meant?.kind === "held") return { event: "on", job: meant.job, grade: grade ?? meant.grade, at };
  if (meant?.kind === "held" || meant?.kind === "off") return { event: "off", job: meant.job, at };
  // Games report people without a job as on duty in what they call that: they are off duty everywhere.
  return { event: "off", job: event === "on" ? null : job, at };
}
