import type { Clock, Outbox, Tasks, Database, Tx } from "#core/ports/index.ts";
import { type ChangedCitizens, jobParts, movedIn } from "#features/citizens/citizens.contract.ts";
import { charactersWithJobsById, citizenIdsAfter, nameKeysOf } from "#features/citizens/citizens.reads.ts";
import type { JobgroupsApi } from "#features/jobgroups/jobgroups.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { Activities } from "./colleagues.activity.service.ts";
import { type ChangedPart, colleaguesBegan, colleaguesChanged, fillColleagues } from "./colleagues.contract.ts";
import { followed, type Person } from "./colleagues.follow.policy.ts";
import { takeAll } from "./colleagues.labels.repo.ts";
import { removeMoves } from "./colleagues.moves.repo.ts";
import type { JobMoves } from "./colleagues.moves.service.ts";
import * as repo from "./colleagues.repo.ts";

export interface FollowDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly tasks: Pick<Tasks, "enqueue">;
  readonly jobs: Pick<JobsApi, "meanings">;
  readonly activities: Activities;
  readonly jobgroups: Pick<JobgroupsApi, "peopleChanged">;
  readonly moves: Pick<JobMoves, "doersOf">;
  /** Citizens that are filled in at a time. */
  readonly chunk?: number;
}

const followedParts = [...jobParts, "first_name", "last_name"] as const;

/** Keeps the people of jobs as the game has them. */
export class FollowService {
  readonly #deps: FollowDeps;

  constructor(deps: FollowDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const { db, tasks } = this.#deps;
    if (await db.read("colleagues.isFilled", async (tx) => await repo.isFilled(tx))) return;
    await db.write("colleagues.fill", async (tx) => await tasks.enqueue(tx, fillColleagues, { payload: {}, key: "fill" }));
  }

  /** The next chunk of those who were there before, and a task for the one behind it. */
  async fill(tx: Tx): Promise<void> {
    const { clock, tasks, chunk = 500 } = this.#deps;
    const after = await repo.lockFill(tx);
    if (after === null) return;
    const ids = await citizenIdsAfter(tx, after, chunk);
    const at = clock.now();
    const last = ids.at(-1) ?? after;
    await this.#follow(tx, ids, () => true, at);
    const isDone = ids.length < chunk;
    await repo.saveFill(tx, last, isDone ? at : null);
    if (!isDone) await tasks.enqueue(tx, fillColleagues, { payload: {}, key: `fill ${last}` });
  }

  /** `changed` leaves out new citizens: since when they have their jobs is known to nobody. */
  async citizensChanged(tx: Tx, changes: ChangedCitizens, at: number): Promise<void> {
    const known = new Set((changes.changed ?? []).map(({ id }) => id));
    const isNew = (id: number) => changes.changed !== undefined && !known.has(id);
    const wanted = movedIn(changes, followedParts);
    if (wanted.length === 0) return;
    const isFilled = await repo.isFilled(tx);
    await this.#follow(tx, wanted, (id) => !isFilled || isNew(id), at);
  }

  /** These citizens as they are now, without waiting for an event. */
  async keep(tx: Tx, ids: readonly number[]): Promise<void> {
    await this.#follow(tx, ids, () => true, this.#deps.clock.now());
  }

  async purgeCitizens(tx: Tx, ids: readonly number[]): Promise<void> {
    await repo.removeCitizens(tx, ids);
    await removeMoves(tx, ids);
  }

  async #follow(tx: Tx, ids: readonly number[], isUnknown: (id: number) => boolean, at: number): Promise<void> {
    if (ids.length === 0) return;
    const { outbox, activities, moves } = this.#deps;
    const stored = await repo.lockAll(tx, ids);
    const people = await this.#people(tx, ids, stored, isUnknown);
    const byCitizen = Map.groupBy(stored, ({ citizen_id }) => citizen_id);
    const steps = people.flatMap((person) => followed(person, byCitizen.get(person.citizenId) ?? [], at));
    if (steps.length === 0) return;
    const gone = new Set(steps.filter(({ forgets }) => forgets).map(({ row }) => `${row.citizen_id} ${row.job}`));
    await takeAll(
      tx,
      stored.filter(({ citizen_id, job }) => gone.has(`${citizen_id} ${job}`)).map(({ id }) => id),
    );
    await repo.write(
      tx,
      steps.map(({ row }) => row),
    );
    const happened = steps.flatMap(({ row, activity }) =>
      activity === null ? [] : [{ citizenId: row.citizen_id, job: row.job, ...activity }],
    );
    const doers = await moves.doersOf(tx, happened, at);
    await activities.addSeen(
      tx,
      happened.map((one, place) => ({ ...one, doer: doers.get(place) ?? null })),
      at,
    );
    const byJob = Map.groupBy(steps, ({ row }) => row.job);
    const jobs = [...byJob.keys()];
    // Labels of who left rest, and return with a new hire.
    for (const [job, all] of byJob)
      await this.#deps.jobgroups.peopleChanged(
        tx,
        job,
        all.map(({ row }) => row.citizen_id),
      );
    // What stands around the name of somebody who came back or left is on other pages again, or no more.
    const isNamed = steps.some(({ row }) => row.name_prefix !== null || row.name_suffix !== null);
    const about: ChangedPart[] = isNamed ? ["staff", "names"] : ["staff"];
    await outbox.emit(tx, colleaguesChanged, { key: "colleagues", version: at, payload: { jobs, about } });
    const rested = new Set(stored.map(({ citizen_id, job }) => `${citizen_id} ${job}`));
    const items = steps
      .filter(
        ({ activity, forgets, row }) => activity?.kind === "hired" && (forgets || !rested.has(`${row.citizen_id} ${row.job}`)),
      )
      .map(({ row }) => ({ citizenId: row.citizen_id, job: row.job }));
    if (items.length > 0) await outbox.emit(tx, colleaguesBegan, { key: "colleagues", version: at, payload: { items } });
  }

  async #people(
    tx: Tx,
    ids: readonly number[],
    stored: readonly repo.WholeRow[],
    isUnknown: (id: number) => boolean,
  ): Promise<Person[]> {
    const meanings = await this.#deps.jobs.meanings(tx);
    const characters = await charactersWithJobsById(tx, ids);
    const names = await nameKeysOf(tx, ids);
    const former = new Map(stored.map(({ citizen_id, name_key }) => [citizen_id, name_key]));
    return ids.map((citizenId) => ({
      citizenId,
      nameKey: names.get(citizenId)?.key ?? former.get(citizenId) ?? "",
      jobs: (characters.get(citizenId)?.jobs ?? []).filter(({ job }) => meanings.isWork(job)),
      unknown: isUnknown(citizenId),
    }));
  }
}
