import type { Viewer } from "#core/actor.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { byJobAndName, type PayloadOf } from "#core/contract/index.ts";
import type { CitizenPart, citizensChanged } from "#features/citizens/citizens.contract.ts";
import { charactersWithJobsById } from "#features/citizens/citizens.reads.ts";
import type { DutyApi, OnDuty } from "./duty.api.ts";
import { type DutyPerson, mostOnDuty } from "./duty.contract.ts";
import { dueEnd, endAt, off, stateOf } from "./duty.policy.ts";
import * as repo from "./duty.repo.ts";
import type { StoredPerson } from "./duty.repo.ts";
import { isSilent, type Source } from "./duty.sources.policy.ts";
import type { DutySigns } from "./duty.signs.service.ts";
import type { DutyStore, PersonChange } from "./duty.store.service.ts";
import { unknownTimes } from "./duty.unknown.service.ts";
import { requireVisible, visibleJobs } from "./duty.visible.policy.ts";

export interface DutyDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly store: DutyStore;
  readonly signs: DutySigns;
}

type CitizensChanged = Pick<PayloadOf<typeof citizensChanged>, "changed" | "offDuty"> & {
  readonly items: readonly Pick<PayloadOf<typeof citizensChanged>["items"][number], "id" | "updatedAt" | "deleted">[];
};

const dutyParts: ReadonlySet<CitizenPart> = new Set<CitizenPart>(["jobs", "licence", "deleted_at"]);
const nameParts: ReadonlySet<CitizenPart> = new Set<CitizenPart>(["first_name", "last_name"]);

const byId = (people: readonly OnDuty[]) => new Map(people.map((one) => [one.citizenId, one]));

/** Who is on duty, and what ends it apart from reports. */
export class DutyService {
  readonly #deps: DutyDeps;

  constructor(deps: DutyDeps) {
    this.#deps = deps;
  }

  get api(): DutyApi {
    return {
      seen: async (source, boot, signs, at) => await this.#deps.signs.seen(source, boot, signs, at),
      of: async (tx, ids) => byId(await onDuty(tx, await repo.readPeople(tx, ids))),
      held: async (tx, ids) => byId(await onDuty(tx, await repo.lockPeople(tx, ids))),
      in: async (tx, jobs) => await onDuty(tx, await repo.onDutyIn(tx, jobs, mostOnDuty)),
      unknown: async (tx, job, between) => await unknownTimes(tx, job, between),
      everybody: async (tx) => await this.#shown(tx, null),
      lastReport: async (tx) => {
        const called = [...(await repo.listSources(tx)).values()].filter(({ lastCallAt }) => lastCallAt > 0);
        if (called.length === 0) return null;
        const now = this.#deps.clock.now();
        return {
          at: Math.max(...called.map(({ lastCallAt }) => lastCallAt)),
          isSilent: called.every((one) => isSilent(one, now)),
        };
      },
    };
  }

  async list(viewer: Viewer, { job }: { readonly job?: string | undefined }): Promise<{ items: DutyPerson[] }> {
    const visible = visibleJobs(viewer);
    if (job !== undefined) requireVisible(viewer, job);
    const jobs = job === undefined ? visible && [...visible] : [job];
    const items = await this.#deps.db.read("duty.list", async (tx) => await this.#shown(tx, jobs));
    return { items: items.toSorted(byJobAndName(viewer.job)) };
  }

  async #shown(tx: Tx, jobs: readonly string[] | null): Promise<DutyPerson[]> {
    const people = (await repo.onDutyIn(tx, jobs, mostOnDuty)).map((person) => ({ person, was: null }));
    const sources = await repo.sourcesOf(
      tx,
      people.map(({ person }) => person),
    );
    return await this.#deps.store.shown(tx, people, sources);
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
   * Who has lost the job that they were on duty in is off duty, and so is who the game began to name as off duty in it:
   * once, for that name may stay while a game server reports duty. Who stays on duty is shown with the grade of now, and
   * is found by the licence of now when another character of it loads.
   */
  async jobsChanged(tx: Tx, { items, changed = [], offDuty = [] }: CitizensChanged) {
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
    const wentOff = new Map(offDuty.map(({ id, jobs }) => [id, new Set(jobs)]));
    const changes = people.map((before): PersonChange => {
      const duty = before.duty!;
      const character = characters.get(before.citizenId);
      const held = character?.jobs.find(({ job }) => job === duty.job);
      if (character === undefined || held === undefined) {
        const ended = endAt(duty, now, "jobLost");
        return { before, after: off(before, ended), ended: [ended] };
      }
      const at = saidAt.get(before.citizenId) ?? now;
      if (wentOff.get(before.citizenId)?.has(duty.job) === true && at >= before.appliedAt && at >= duty.since) {
        const ended = endAt(duty, at, "off");
        return { before, after: off(before, ended), ended: [ended] };
      }
      const after = { ...before, licence: character.licence || before.licence, duty: { ...duty, grade: held.grade } };
      return { before, after, ended: [] };
    });
    await store.save(tx, changes, new Map());
  }

  /** Who is on duty is shown with the name of now. */
  async namesChanged(tx: Tx, changed: readonly { id: number; parts: readonly CitizenPart[] }[]): Promise<void> {
    const named = changed.filter(({ parts }) => parts.some((part) => nameParts.has(part))).map(({ id }) => id);
    const people = (await repo.lockPeople(tx, named)).filter(({ duty }) => duty !== null);
    if (people.length === 0) return;
    await this.#deps.store.republish(tx, people, await repo.sourcesOf(tx, people));
  }

  async purgeCitizens(tx: Tx, ids: readonly number[]): Promise<void> {
    await repo.purgeCitizens(tx, ids);
  }
}

const sourcesOf = (name: string | null, source: Source | null): Map<string, Source> =>
  new Map(name !== null && source !== null ? [[name, source]] : []);

async function onDuty(tx: Tx, people: readonly StoredPerson[]): Promise<OnDuty[]> {
  const sources = await repo.sourcesOf(tx, people);
  return people.flatMap(({ citizenId, duty }) => {
    if (duty === null) return [];
    const source = duty.source === null ? null : (sources.get(duty.source) ?? null);
    return { citizenId, job: duty.job, grade: duty.grade, since: duty.since, state: stateOf(duty, source), source: duty.source };
  });
}
