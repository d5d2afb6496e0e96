import { chunksOf } from "#core/chunks.ts";
import type { Clock, Outbox, Tasks, Tx } from "#core/ports/index.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { dutyChanged, dutyEnded, type DutyPerson, dutyProposed, endDueDuty } from "./duty.contract.ts";
import { type Duty, type Ended, isEstimated, isSamePerson, ownEnd, stateOf } from "./duty.policy.ts";
import * as repo from "./duty.repo.ts";
import type { StoredPerson } from "./duty.repo.ts";
import type { Source } from "./duty.sources.policy.ts";

export interface DutyStoreDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly tasks: Tasks;
  readonly jobs: JobsApi;
}

/** A person before and after what happened. */
export interface PersonChange {
  readonly before: StoredPerson;
  readonly after: StoredPerson;
  readonly ended: readonly Ended[];
}

/** Somebody to lock. */
export interface PersonKey {
  readonly id: number;
  /** Game licence of the character; empty when unknown. */
  readonly licence: string;
}

/** Items of one event: with names and labels, and all of them twice, they stay far below the largest payload. */
const itemsPerEvent = 250;

/** Stores what happened to people on duty: rows, ended duties, events, and the tasks that end a duty in time. */
export class DutyStore {
  readonly #deps: DutyStoreDeps;

  constructor(deps: DutyStoreDeps) {
    this.#deps = deps;
  }

  /**
   * People by id, locked; those who were not stored yet are off duty, and have a row from now on: two who begin at once
   * would both find nothing to lock.
   */
  async lock(tx: Tx, people: readonly PersonKey[]): Promise<Map<number, StoredPerson>> {
    // Who is named without a licence keeps the one that is known.
    const licences = new Map(people.map(({ id, licence }) => [id, licence]));
    for (const { id, licence } of people) if (licence !== "") licences.set(id, licence);
    const ids = [...licences.keys()].toSorted((a, b) => a - b);
    if ((await repo.readPeople(tx, ids)).length < ids.length) {
      const rows = ids.map((citizenId) => ({ citizenId, licence: licences.get(citizenId)! }));
      await repo.ensurePeople(tx, rows);
    }
    const stored = await repo.lockPeople(tx, ids);
    return new Map(stored.map((one) => [one.citizenId, { ...one, licence: licences.get(one.citizenId) || one.licence }]));
  }

  /**
   * Returns for how many people something changed. `known` are sources as this unit of work has them; others that the
   * people belong to are read, for anybody may report somebody.
   */
  async save(tx: Tx, changes: readonly PersonChange[], known: ReadonlyMap<string, Source>): Promise<number> {
    const changed = changes.filter(({ before, after }) => !isSamePerson(before, after));
    if (changed.length === 0) return 0;
    const saved = changed.map(({ before, after, ended }) => ({
      before,
      ended,
      after: { ...after, version: before.version + 1 },
    }));
    await repo.savePeople(
      tx,
      saved.map(({ after }) => after),
    );
    await this.#end(tx, saved);
    const sources = await this.#withOthers(tx, known, saved);
    await this.#schedule(tx, saved, sources);
    const shown = saved.filter(({ before, after }) => before.duty !== null || after.duty !== null);
    await this.announce(
      tx,
      shown.map(({ before, after }) => ({ person: after, was: before.duty })),
      sources,
    );
    return changed.length;
  }

  /** Stores duties that were reported after they had ended. */
  async propose(tx: Tx, periods: readonly repo.NewPeriod[]): Promise<void> {
    if (periods.length === 0) return;
    await repo.insertPeriods(tx, periods);
    const periodIds = await repo.idsOfPeriods(tx, periods);
    await this.#deps.outbox.emit(tx, dutyProposed, { key: "duty", version: this.#deps.clock.now(), payload: { periodIds } });
  }

  /** Publishes the present state; of those who are off duty, with the duty that has ended. */
  async announce(
    tx: Tx,
    people: readonly { readonly person: StoredPerson; readonly was: Duty | null }[],
    sources: ReadonlyMap<string, Source>,
  ): Promise<void> {
    const items = await this.shown(tx, people, sources);
    const moved = people.filter(({ person, was }) => was !== null && person.duty !== null && person.duty.job !== was.job);
    const ended = moved.map(({ person, was }) => ({ person: { ...person, duty: null }, was }));
    const left = ended.length === 0 ? [] : await this.shown(tx, ended, sources);
    const at = this.#deps.clock.now();
    for (const chunk of chunksOf(items, itemsPerEvent)) {
      const ids = new Set(chunk.map(({ id }) => id));
      const gone = left.filter(({ id }) => ids.has(id));
      const payload = gone.length === 0 ? { items: chunk } : { items: chunk, left: gone };
      await this.#deps.outbox.emit(tx, dutyChanged, { key: "duty", version: at, payload });
    }
  }

  /** Stores and publishes people who look different, although nothing happened to their duty. Returns them as they are stored. */
  async republish(tx: Tx, people: readonly StoredPerson[], sources: ReadonlyMap<string, Source>): Promise<StoredPerson[]> {
    const next = people.map((person) => ({ ...person, version: person.version + 1 }));
    await repo.savePeople(tx, next);
    const shown = next.map((person) => ({ person, was: null }));
    await this.announce(tx, shown, sources);
    return next;
  }

  /** As they are shown. */
  async shown(
    tx: Tx,
    people: readonly { readonly person: StoredPerson; readonly was: Duty | null }[],
    sources: ReadonlyMap<string, Source>,
  ): Promise<DutyPerson[]> {
    const labels = await this.#deps.jobs.labels(tx);
    const names = await namesOfCitizens(
      tx,
      people.map(({ person }) => person.citizenId),
    );
    return people.flatMap(({ person, was }) => {
      const duty = person.duty ?? was;
      if (duty === null) return [];
      const source = duty.source === null ? null : (sources.get(duty.source) ?? null);
      return {
        id: person.citizenId,
        version: person.version,
        deleted: person.duty === null,
        name: names.get(person.citizenId) ?? "",
        job: labels.badge(duty.job, duty.grade),
        since: duty.since,
        by: duty.by,
        state: stateOf(duty, source),
        seenAt: person.seenAt,
      };
    });
  }

  async #withOthers(tx: Tx, known: ReadonlyMap<string, Source>, changes: readonly PersonChange[]) {
    const names = changes.flatMap(({ before, after }) => [before.duty?.source ?? null, after.duty?.source ?? null]);
    const others = new Set(names.filter((name): name is string => name !== null && !known.has(name)));
    return new Map([...(await repo.readSources(tx, [...others])), ...known]);
  }

  async #end(tx: Tx, changes: readonly PersonChange[]): Promise<void> {
    const ended = changes.flatMap(({ before, ended: all }) => all.map((one) => ({ citizenId: before.citizenId, ...one })));
    if (ended.length === 0) return;
    const periods = ended.map(({ citizenId, duty, to, ending }) => ({
      citizenId,
      job: duty.job,
      grade: duty.startGrade,
      from: duty.since,
      to,
      by: duty.by,
      ending,
      estimated: isEstimated(ending),
      source: duty.source,
      proposed: false,
    }));
    await repo.insertPeriods(tx, periods);
    const ids = await repo.idsOfPeriods(tx, periods);
    const items = periods.map(({ citizenId, job, grade, from, to, ending, estimated }, i) => {
      return { periodId: ids[i]!, citizenId, job, grade, from, to, ending, estimated };
    });
    const at = this.#deps.clock.now();
    for (const chunk of chunksOf(items, itemsPerEvent))
      await this.#deps.outbox.emit(tx, dutyEnded, { key: "duty", version: at, payload: { items: chunk } });
  }

  /** What a source does to its people has a task of the source. */
  async #schedule(tx: Tx, changes: readonly PersonChange[], sources: ReadonlyMap<string, Source>): Promise<void> {
    const due = changes.flatMap(({ before, after }) => {
      const at = ownEnd(after, sources);
      return at === null || at === ownEnd(before, sources) ? [] : [{ citizenId: after.citizenId, at }];
    });
    if (due.length === 0) return;
    await this.#deps.tasks.enqueueAll(
      tx,
      endDueDuty,
      due.map(({ citizenId, at }) => ({ payload: { citizenId }, key: String(citizenId), dueAt: at })),
    );
  }
}
