import type { Viewer } from "#core/actor.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { type CitizenChange, type CitizenPart } from "#features/citizens/citizens.contract.ts";
import { charactersWithJobsById } from "#features/citizens/citizens.reads.ts";
import type { DutyApi, OnDuty } from "./duty.api.ts";
import { type DutyPerson, mostOnDuty } from "./duty.contract.ts";
import { dueEnd, endAt, off, type Source, stateOf } from "./duty.policy.ts";
import * as repo from "./duty.repo.ts";
import type { StoredPerson } from "./duty.repo.ts";
import type { DutySigns } from "./duty.signs.service.ts";
import type { DutyStore, PersonChange } from "./duty.store.service.ts";
import { requireVisible, visibleJobs } from "./duty.visible.policy.ts";

export interface DutyDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly store: DutyStore;
  readonly signs: DutySigns;
}

const dutyParts: ReadonlySet<CitizenPart> = new Set<CitizenPart>(["jobs", "licence", "deleted_at"]);

/** Who is on duty, and what ends it apart from reports. */
export class DutyService {
  readonly #deps: DutyDeps;

  constructor(deps: DutyDeps) {
    this.#deps = deps;
  }

  get api(): DutyApi {
    return {
      seen: async (source, boot, signs) => await this.#deps.signs.seen(source, boot, signs),
      of: async (tx, ids) => {
        const people = await onDuty(tx, await repo.readPeople(tx, ids));
        return new Map(people.map((one) => [one.citizenId, one]));
      },
      in: async (tx, jobs) => await onDuty(tx, await repo.onDutyIn(tx, jobs, mostOnDuty)),
      everybody: async (tx) => await this.#shown(tx, null),
    };
  }

  async list(viewer: Viewer, { job }: { readonly job?: string | undefined }): Promise<{ items: DutyPerson[] }> {
    const visible = visibleJobs(viewer);
    if (job !== undefined) requireVisible(viewer, job);
    const jobs = job === undefined ? visible && [...visible] : [job];
    const items = await this.#deps.db.read("duty.list", async (tx) => await this.#shown(tx, jobs));
    return { items: items.toSorted((a, b) => compare(viewer.job, a, b)) };
  }

  async #shown(tx: Tx, jobs: readonly string[] | null): Promise<DutyPerson[]> {
    const people = (await repo.onDutyIn(tx, jobs, mostOnDuty)).map((person) => ({ person, was: null }));
    return await this.#deps.store.shown(tx, people, await repo.listSources(tx));
  }

  /** The time of somebody who dropped, or went on duty by hand, may be over. */
  async endDue(tx: Tx, citizenId: number): Promise<void> {
    const { clock, store } = this.#deps;
    const [before] = await repo.lockPeople(tx, [citizenId]);
    if (before?.duty == null) return;
    const { duty } = before;
    // Not locked, for a source comes before its people: whatever changes it so that it matters here, locks this person.
    const source = duty.source === null ? null : await repo.readSource(tx, duty.source);
    const end = dueEnd(before, source);
    if (end === null || end.due > clock.now()) return;
    await store.save(tx, [{ before, after: off(before, end.end), ended: [end.end] }], sourcesOf(duty.source, source));
  }

  /**
   * Who has lost the job that they were on duty in is off duty, and so is who has it by its name for people off duty. Who
   * stays on duty is shown with the grade of now, and is found by the licence of now when another character of it loads.
   */
  async jobsChanged(tx: Tx, items: readonly CitizenChange[], changed: readonly { id: number; parts: readonly CitizenPart[] }[]) {
    const named = changed.filter(({ parts }) => parts.some((part) => dutyParts.has(part))).map(({ id }) => id);
    const ids = [...new Set([...named, ...items.filter(({ deleted }) => deleted).map(({ id }) => id)])];
    const people = (await repo.lockPeople(tx, ids)).filter(({ duty }) => duty !== null);
    if (people.length === 0) return;
    const { clock, store } = this.#deps;
    const characters = await charactersWithJobsById(
      tx,
      people.map(({ citizenId }) => citizenId),
    );
    const now = clock.now();
    // Of the game's word only its instant is taken: what is newer than that has happened since.
    const saidAt = new Map(items.map(({ id, updatedAt }) => [id, updatedAt]));
    const changes = people.map((before): PersonChange => {
      const duty = before.duty!;
      const character = characters.get(before.citizenId);
      const held = character?.jobs.find(({ job }) => job === duty.job);
      if (character === undefined || held === undefined) {
        const ended = endAt(duty, now, "jobLost");
        return { before, after: off(before, ended), ended: [ended] };
      }
      const at = saidAt.get(before.citizenId) ?? now;
      if (held.offDuty && at >= before.appliedAt && at >= duty.since) {
        const ended = endAt(duty, at, "off");
        return { before, after: off(before, ended), ended: [ended] };
      }
      const after = { ...before, licence: character.licence || before.licence, duty: { ...duty, grade: held.grade } };
      return { before, after, ended: [] };
    });
    await store.save(tx, changes, await repo.listSources(tx));
  }

  async purgeCitizens(tx: Tx, ids: readonly number[]): Promise<void> {
    await repo.forgetCitizens(tx, ids);
  }
}

const sourcesOf = (name: string | null, source: Source | null): Map<string, Source> =>
  new Map(name !== null && source !== null ? [[name, source]] : []);

async function onDuty(tx: Tx, people: readonly StoredPerson[]): Promise<OnDuty[]> {
  const sources = await repo.listSources(tx);
  return people.flatMap(({ citizenId, duty }) => {
    if (duty === null) return [];
    const source = duty.source === null ? null : (sources.get(duty.source) ?? null);
    return { citizenId, job: duty.job, grade: duty.grade, since: duty.since, state: stateOf(duty, source), source: duty.source };
  });
}

/** The viewer's job first. */
function compare(own: string, a: DutyPerson, b: DutyPerson): number {
  if (a.job.name !== b.job.name) {
    if (a.job.name === own || b.job.name === own) return a.job.name === own ? -1 : 1;
    return a.job.label.localeCompare(b.job.label) || a.job.name.localeCompare(b.job.name);
  }
  return b.job.grade - a.job.grade || a.name.localeCompare(b.name) || a.id - b.id;
}
