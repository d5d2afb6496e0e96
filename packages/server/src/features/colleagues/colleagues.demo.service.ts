import { foldLetters } from "#core/contract/fold.ts";
import { days } from "#core/contract/index.ts";
import type { Demo } from "#core/demo.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { charactersWithJobs, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobgroupsApi } from "#features/jobgroups/jobgroups.api.ts";
import type { Activities, Doer, Happened } from "./colleagues.activity.service.ts";
import {
  type DemoCareer,
  demoCareers,
  type DemoColleague,
  demoColleagues,
  demoLabelGroup,
  demoLabels,
} from "./colleagues.demo.policy.ts";
import type { FollowService } from "./colleagues.follow.service.ts";
import { addDemoGroup } from "./colleagues.groups.service.ts";
import { createLabel } from "./colleagues.labels.contract.ts";
import * as labels from "./colleagues.labels.repo.ts";
import type { People } from "./colleagues.people.service.ts";
import { peopleOf, update } from "./colleagues.repo.ts";

export interface ColleaguesDemoDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly activities: Activities;
  readonly follow: FollowService;
  readonly people: People;
  readonly jobgroups: Pick<JobgroupsApi, "add">;
}

/** From the end, where those of the logins are. */
const looked = 800;

/** Labels, notes and what happened to some people of the demo city. */
export class ColleaguesDemo {
  readonly #deps: ColleaguesDemoDeps;

  constructor(deps: ColleaguesDemoDeps) {
    this.#deps = deps;
  }

  async load(demo: Demo): Promise<number> {
    const { db, follow } = this.#deps;
    const identifiers = demo.city.people.slice(-looked).map(({ identifier }) => identifier);
    return await db.write("colleagues.demo", async (tx) => {
      const found = await charactersWithJobs(tx, identifiers);
      const people = demoColleagues(identifiers.toReversed().flatMap((identifier) => found.get(identifier) ?? []));
      await follow.keep(
        tx,
        people.map(({ id }) => id),
      );
      const careers = demoCareers(identifiers.toReversed().flatMap((identifier) => found.get(identifier) ?? []));
      for (const job of Object.keys(demoLabels)) {
        const ids = await this.#labels(tx, demo, job);
        const own = people.filter((one) => one.job === job);
        if (ids === null) continue;
        await this.#careers(
          tx,
          careers.filter((one) => one.job === job),
        );
        await this.#write(tx, job, own, ids);
        if (job === demoLabelGroup.job) await addDemoGroup(tx, this.#deps.jobgroups, demo);
      }
      return people.length;
    });
  }

  /** As the game would have reported it, in the order of the days. */
  async #careers(tx: Tx, careers: readonly DemoCareer[]): Promise<void> {
    const { clock, activities } = this.#deps;
    const now = clock.now();
    const moves = careers.flatMap(({ id, job, grade, hiredDays, leftDays }) => {
      const about = { citizenId: id, job, grade };
      const hired: Happened = { ...about, kind: "hired", before: {}, after: { grade } };
      const left: Happened = { ...about, kind: "left", before: { grade }, after: {} };
      return [{ back: hiredDays, move: hired }, ...(leftDays === null ? [] : [{ back: leftDays, move: left }])];
    });
    for (const { back, move } of moves.toSorted((a, b) => b.back - a.back))
      await activities.add(tx, [move], null, now - days(back));
  }

  /** Ids of the new labels; null where the job has labels already. */
  async #labels(tx: Tx, { actor }: Demo, job: string): Promise<number[] | null> {
    if ((await labels.labelsOf(tx, job)).length > 0) return null;
    const ids: number[] = [];
    for (const [at, content] of (demoLabels[job] ?? []).entries()) {
      const named = { ...content, name_key: foldLetters(content.name), deleted_marker: 0 };
      const id = await labels.insert(tx, { job, ...named, position: at + 1, version: 1 });
      const object = { kind: "colleagues.label", id, name: content.name };
      await this.#deps.audit.record(tx, actor, { action: createLabel.id, object, info: { job }, after: content });
      ids.push(id);
    }
    return ids;
  }

  async #write(tx: Tx, job: string, people: readonly DemoColleague[], labelIds: readonly number[]): Promise<void> {
    const { clock, activities } = this.#deps;
    const now = clock.now();
    const { zone } = this.#deps.people;
    const rows = await peopleOf(
      tx,
      job,
      people.map(({ id }) => id),
    );
    const endOf = (after: number | null) => (after === null ? null : zone.endOf(zone.dayOf(now + days(after))));
    const happened: Happened[] = [];
    const promoted: Happened[] = [];
    for (const { id, grade, labels: own, note } of people) {
      const row = rows.get(id);
      if (row === undefined) continue;
      const about = { citizenId: id, job, grade };
      await labels.give(
        tx,
        own.map(({ place, days: left }) => ({ colleague_id: row.id, label_id: labelIds[place]!, ends_at: endOf(left) })),
      );
      for (const { place, days: left } of own) {
        const until = left === null ? null : zone.dayOf(now + days(left));
        const after = { label: demoLabels[job]![place]!.name, until };
        happened.push({ ...about, kind: "labelGiven", before: {}, after });
      }
      if (note !== null) {
        await update(tx, row.id, { note, version: row.version + 1 });
        happened.push({ ...about, kind: "note", before: {}, after: {} });
      }
      if (grade > 0 && id % 3 === 0)
        promoted.push({ ...about, kind: "promoted", before: { grade: grade - 1 }, after: { grade } });
    }
    await activities.add(tx, promoted, null, now - days(2));
    await activities.add(tx, happened, await doerOf(tx, people), now - days(1));
  }
}

/** The one with the highest grade. */
async function doerOf(tx: Tx, people: readonly DemoColleague[]): Promise<Doer> {
  const [leader] = people.toSorted((a, b) => b.grade - a.grade);
  if (leader === undefined) return null;
  const characterName = (await namesOfCitizens(tx, [leader.id])).get(leader.id) ?? "";
  return { viewer: { characterId: leader.id, characterName }, reason: "Plan of the season" };
}
