import type { Actor } from "#core/actor.ts";
import type { Clock, Outbox, Tasks, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { type ChangedCitizens, jobParts, movedIn } from "#features/citizens/citizens.contract.ts";
import { charactersWithJobsById, nameKeysOf } from "#features/citizens/citizens.reads.ts";
import { jobgroupsChanged, membersChanged, resolveJob, resolvePerson } from "./jobgroups.contract.ts";
import * as members from "./jobgroups.members.repo.ts";
import { type GroupNode, nextEnd, type PersonFacts, standings } from "./jobgroups.membership.policy.ts";
import { groupsOf, jobsWithGroups, namesOf, nodesOf } from "./jobgroups.repo.ts";
import type { RuleKinds } from "./jobgroups.rules.service.ts";

export interface ResolverDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly tasks: Pick<Tasks, "enqueue" | "enqueueAll">;
  readonly audit: AuditApi;
  readonly rules: RuleKinds;
  /** People of a job that are computed at a time. */
  readonly chunk?: number;
}

/** So many ids stay far below the size of an event. */
const idsPerEvent = 5000;

const followedParts = [...jobParts, "first_name", "last_name"] as const;

const left: Actor = { kind: "system", name: "jobgroups.left" };
const posts = ["jobgroups_hand", "jobgroups_leaders"] as const;

/** Keeps the stored members of groups as rules, hand and exclusions have them. */
export class Resolver {
  readonly #deps: ResolverDeps;

  constructor(deps: ResolverDeps) {
    this.#deps = deps;
  }

  /** These people in the groups of the job, in a number of statements that depends on neither. */
  async people(tx: Tx, job: string, citizenIds: readonly number[], at = this.#deps.clock.now()): Promise<void> {
    if (citizenIds.length === 0) return;
    const rows = await groupsOf(tx, job);
    if (rows.length === 0) return;
    const nodes = await nodesOf(tx, job, rows);
    const facts = await this.facts(tx, job, nodes, citizenIds, at);
    const names = await nameKeysOf(tx, [...facts.keys()]);
    const before = await members.membersOf(tx, job, citizenIds);
    const known = new Map(before.map((row) => [placeOf(row), row]));
    const wanted: members.MemberRow[] = [];
    for (const [citizen_id, own] of facts) {
      const name = names.get(citizen_id);
      if (name === undefined) continue;
      for (const [group_id, { member }] of standings(nodes, own))
        if (member) wanted.push({ group_id, citizen_id, job, name_key: name.key });
    }
    const kept = new Set(wanted.map(placeOf));
    const gone = before.filter((row) => !kept.has(placeOf(row)));
    await members.putMembers(
      tx,
      wanted.filter((row) => known.get(placeOf(row))?.name_key !== row.name_key),
    );
    await members.removeMembers(tx, gone);
    await this.#planEnds(tx, job, facts);
    const came = wanted.filter((row) => !known.has(placeOf(row)));
    await this.announce(
      tx,
      job,
      [...came, ...gone].map(({ citizen_id }) => citizen_id),
    );
  }

  /** What is known of these people; without those who are not in the job. */
  async facts(
    tx: Tx,
    job: string,
    nodes: readonly GroupNode[],
    citizenIds: readonly number[],
    at: number,
  ): Promise<Map<number, PersonFacts>> {
    const ids = [...(await members.gradesOf(tx, job, citizenIds)).keys()];
    const byHand = Map.groupBy(await members.postsOf(tx, "jobgroups_hand", job, ids), ({ citizen_id }) => citizen_id);
    const excluded = Map.groupBy(await members.exclusionsOf(tx, job, ids, at), ({ citizen_id }) => citizen_id);
    const asked = nodes.filter(({ membership }) => membership !== "hand").flatMap(({ rules }) => rules);
    const met = await this.#deps.rules.met(tx, job, asked, ids, at);
    return new Map(
      ids.map((id) => [
        id,
        {
          byHand: new Set((byHand.get(id) ?? []).map(({ group_id }) => group_id)),
          excluded: new Map((excluded.get(id) ?? []).map(({ group_id, ends_at }) => [group_id, ends_at])),
          met: met.get(id) ?? new Map<string, number | null>(),
        },
      ]),
    );
  }

  /** Most jobs have no groups, and nothing of theirs is locked. */
  async peopleChanged(tx: Tx, job: string, citizenIds: readonly number[]): Promise<void> {
    if (citizenIds.length > 0 && (await jobsWithGroups(tx, [job])).length > 0) await this.people(tx, job, citizenIds);
  }

  async jobChanged(tx: Tx, job: string): Promise<void> {
    if ((await jobsWithGroups(tx, [job])).length > 0)
      await this.#deps.tasks.enqueue(tx, resolveJob, { payload: { job, after: 0 }, key: job });
  }

  /** Something of this person ends at an instant, which the clock of the database has reached. */
  async personDue(tx: Tx, job: string, citizenId: number, dueAt: number): Promise<void> {
    await this.people(tx, job, [citizenId], Math.max(dueAt, this.#deps.clock.now()));
  }

  /** The next people of a job, and a task for those behind them. */
  async batch(tx: Tx, job: string, after: number): Promise<void> {
    const { tasks, chunk = 500 } = this.#deps;
    // Locked first, so that nothing is read that another change is about to replace.
    await groupsOf(tx, job);
    const ids = await members.peopleAfter(tx, job, after, chunk);
    await this.people(tx, job, ids);
    const last = ids.at(-1);
    if (last !== undefined && ids.length === chunk)
      await tasks.enqueue(tx, resolveJob, { payload: { job, after: last }, key: `${job} ${last}` });
  }

  /** Members changed: pages read again, and what these people may see is checked again. */
  async announce(tx: Tx, job: string, citizenIds: readonly number[]): Promise<void> {
    const { outbox } = this.#deps;
    const ids = [...new Set(citizenIds)];
    if (ids.length === 0) return;
    const head = this.#head();
    for (let at = 0; at < ids.length; at += idsPerEvent)
      await outbox.emit(tx, membersChanged, { ...head, payload: { citizenIds: ids.slice(at, at + idsPerEvent) } });
    await outbox.emit(tx, jobgroupsChanged, { ...head, payload: { jobs: [job] } });
  }

  /** What rules name is called otherwise: pages read again. */
  async renamed(tx: Tx, job: string): Promise<void> {
    if ((await jobsWithGroups(tx, [job])).length > 0)
      await this.#deps.outbox.emit(tx, jobgroupsChanged, { ...this.#head(), payload: { jobs: [job] } });
  }

  #head() {
    return { key: "jobgroups", version: this.#deps.clock.now() };
  }

  /** `changed` leaves out new citizens. */
  async citizensChanged(tx: Tx, changes: ChangedCitizens): Promise<void> {
    const ids = movedIn(changes, followedParts);
    if (ids.length === 0) return;
    const characters = await charactersWithJobsById(tx, ids);
    const held = new Set([...characters].flatMap(([id, { jobs }]) => jobs.map(({ job }) => `${id} ${job}`)));
    const places = await members.placesOf(tx, ids);
    await this.#endPosts(tx, [...places.hand, ...places.leaders], held);
    const jobsOf = new Map<string, Set<number>>();
    const note = (job: string, id: number) => void jobsOf.set(job, (jobsOf.get(job) ?? new Set()).add(id));
    for (const [id, { jobs }] of characters) for (const { job } of jobs) note(job, id);
    for (const { job, citizen_id } of [...places.hand, ...places.members]) note(job, citizen_id);
    for (const job of await jobsWithGroups(tx, [...jobsOf.keys()])) await this.people(tx, job, [...(jobsOf.get(job) ?? [])]);
  }

  async purgeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    const { members: places } = await members.placesOf(tx, citizenIds);
    await members.removeCitizens(tx, citizenIds);
    for (const [job, rows] of Map.groupBy(places, (row) => row.job))
      await this.announce(
        tx,
        job,
        rows.map(({ citizen_id }) => citizen_id),
      );
  }

  /** By hand and as leader nobody stays who has left the job. */
  async #endPosts(
    tx: Tx,
    places: readonly { group_id: number; citizen_id: number; job: string }[],
    held: ReadonlySet<string>,
  ): Promise<void> {
    const ended = places.filter(({ citizen_id, job }) => !held.has(`${citizen_id} ${job}`));
    if (ended.length === 0) return;
    const groups = await namesOf(tx, [...new Set(ended.map(({ group_id }) => group_id))]);
    const people = await nameKeysOf(tx, [...new Set(ended.map(({ citizen_id }) => citizen_id))]);
    for (const [id, rows] of Map.groupBy(ended, ({ group_id }) => group_id)) {
      const gone = [...new Set(rows.map(({ citizen_id }) => citizen_id))];
      for (const table of posts) await members.removePosts(tx, table, id, gone);
      const object = { kind: "jobgroups.group", id, name: groups.get(id)?.name ?? "" };
      const names = gone.map((one) => people.get(one)?.name ?? `CIT-${one}`).join(", ");
      await this.#deps.audit.record(tx, left, { action: "jobgroups.left", object, info: { job: rows[0]!.job, people: names } });
      await this.announce(tx, rows[0]!.job, gone);
    }
  }

  /** A task for each person of whom something ends. One that finds nothing to end changes nothing. */
  async #planEnds(tx: Tx, job: string, facts: ReadonlyMap<number, PersonFacts>): Promise<void> {
    const planned = [...facts].flatMap(([citizenId, own]) => {
      const dueAt = nextEnd(own);
      return dueAt === null ? [] : [{ payload: { job, citizenId }, dueAt, key: `${job} ${citizenId} ${dueAt}` }];
    });
    if (planned.length > 0) await this.#deps.tasks.enqueueAll(tx, resolvePerson, planned);
  }
}

const placeOf = ({ group_id, citizen_id }: Pick<members.MemberRow, "group_id" | "citizen_id">) => `${group_id} ${citizen_id}`;
