import type { Viewer } from "#core/actor.ts";
import { foldLetters } from "#core/contract/fold.ts";
import type { OutputOf } from "#core/contract/index.ts";
import type { SearchEntry } from "#core/contract/search.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import {
  type Group,
  type getGroup,
  jobgroupsErrors,
  jobgroupsPermissions,
  type listOfPerson,
  type listRuleKinds,
  type WholeGroup,
} from "./jobgroups.contract.ts";
import * as members from "./jobgroups.members.repo.ts";
import { abilitiesOf, isVisible, may, type Relation, rightMissing, seesAll } from "./jobgroups.policy.ts";
import { type GroupRow, groupsOf, nodesOf } from "./jobgroups.repo.ts";
import type { RuleKinds } from "./jobgroups.rules.service.ts";

export interface ShownDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly rules: RuleKinds;
}

/** A live group that the viewer sees, beside the others of the job. */
export interface FoundGroup {
  readonly row: GroupRow;
  readonly relation: Relation;
  readonly rows: readonly GroupRow[];
  /** Whether the viewer sees another group of the job. */
  readonly sees: (id: number) => boolean;
}

const refOf = (id: number) => `GRP-${id}`;

/** Groups as a viewer sees them. */
export class ShownGroups {
  readonly #deps: ShownDeps;

  constructor(deps: ShownDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer): Promise<{ items: Group[] }> {
    return await this.#deps.db.read("jobgroups.list", async (tx) => {
      return { items: await this.#shown(tx, viewer, await this.#visible(tx, viewer)) };
    });
  }

  async get(viewer: Viewer, id: number): Promise<OutputOf<typeof getGroup>> {
    return await this.#deps.db.read("jobgroups.get", async (tx) => await this.whole(tx, viewer, id));
  }

  /** Throws for a group that the viewer does not see. */
  async find(tx: Tx, viewer: Viewer, id: number): Promise<FoundGroup> {
    const rows = await groupsOf(tx, viewer.job);
    const row = rows.find((one) => one.id === id && one.deleted_at === null);
    if (row === undefined) throw new AppError(jobgroupsErrors.notFound);
    const relationOf = await this.#relations(tx, viewer, viewer.characterId);
    const sees = (other: number) => isVisible(viewer, relationOf(other));
    if (!sees(id)) throw new AppError(jobgroupsErrors.notFound);
    return { row, relation: relationOf(id), rows, sees };
  }

  async whole(tx: Tx, viewer: Viewer, id: number): Promise<WholeGroup> {
    const { row, relation, rows, sees } = await this.find(tx, viewer, id);
    const nodes = await nodesOf(tx, viewer.job, rows);
    const shown = await this.#shown(tx, viewer, [row]);
    const own = nodes.find((one) => one.id === id);
    const named = (ids: readonly number[]) =>
      rows
        .filter((one) => ids.includes(one.id) && one.deleted_at === null && sees(one.id))
        .map(({ id: other, name, short }) => ({ id: other, name, short }));
    const leaders = await members.postsIn(tx, "jobgroups_leaders", id);
    const names = await namesOfCitizens(
      tx,
      leaders.map(({ citizen_id }) => citizen_id),
    );
    const explains = may(viewer, "explain", relation);
    return {
      ...shown[0]!,
      ...(explains ? { rules: await this.#deps.rules.named(tx, viewer, own?.rules ?? []) } : {}),
      contains: named(own?.contains ?? []),
      within: named(nodes.filter(({ contains }) => contains.includes(id)).map((one) => one.id)),
      leaders: leaders.map(({ citizen_id }) => ({ id: citizen_id, name: names.get(citizen_id) ?? `CIT-${citizen_id}` })),
      may: abilitiesOf(viewer, relation),
    };
  }

  async ruleKinds(viewer: Viewer): Promise<OutputOf<typeof listRuleKinds>> {
    return await this.#deps.db.read("jobgroups.ruleKinds", async (tx) => ({ kinds: await this.#deps.rules.kinds(tx, viewer) }));
  }

  async ofPerson(viewer: Viewer, citizenId: number): Promise<OutputOf<typeof listOfPerson>> {
    return await this.#deps.db.read("jobgroups.ofPerson", async (tx) => {
      if (citizenId !== viewer.characterId) {
        if (!seesAll(viewer)) throw rightMissing(viewer, jobgroupsPermissions.list.id);
        if (!(await members.gradesOf(tx, viewer.job, [citizenId])).has(citizenId))
          throw new AppError(jobgroupsErrors.personUnknown);
      }
      const relationOf = await this.#relations(tx, viewer, citizenId);
      const rows = (await this.#visible(tx, viewer)).filter(({ id, deleted_at: deletedAt }) => {
        const { own, leads } = relationOf(id);
        return deletedAt === null && (own || leads);
      });
      const groups = await this.#shown(tx, viewer, rows);
      return { items: groups.map((group) => ({ group, member: relationOf(group.id).own, leads: relationOf(group.id).leads })) };
    });
  }

  /** For the global search: by name, short name, and `GRP-12`. */
  async hits(viewer: Viewer, query: string, limit: number): Promise<SearchEntry[]> {
    const wanted = foldLetters(query.trim());
    const rows = await this.#deps.db.read("jobgroups.search", async (tx) => await this.#visible(tx, viewer));
    return rows
      .filter((row) => row.deleted_at === null)
      .flatMap(({ id, name, short }): SearchEntry[] => {
        const words = [foldLetters(name), ...foldLetters(name).split(/\s+/u), foldLetters(short), refOf(id).toLowerCase()];
        const isWhole = words.includes(wanted);
        if (!isWhole && !words.some((word) => word.startsWith(wanted))) return [];
        const found = { match: isWhole ? "whole" : "beginning", score: isWhole ? 1 : 0.5 } as const;
        return [{ id, ref: refOf(id), title: name, subtitle: short, ...found }];
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  async #visible(tx: Tx, viewer: Viewer): Promise<GroupRow[]> {
    const mayRestore = viewer.rights.has(jobgroupsPermissions.manage.id);
    const rows = (await groupsOf(tx, viewer.job)).filter((row) => mayRestore || row.deleted_at === null);
    const relationOf = await this.#relations(tx, viewer, viewer.characterId);
    return rows.filter(({ id }) => isVisible(viewer, relationOf(id)));
  }

  async #shown(tx: Tx, viewer: Viewer, rows: readonly GroupRow[]): Promise<Group[]> {
    const relationOf = await this.#relations(tx, viewer, viewer.characterId);
    const seen = rows.filter(({ id }) => may(viewer, "see", relationOf(id)));
    const counts = await members.countMembersIn(
      tx,
      seen.map(({ id }) => id),
    );
    return rows.map((row) => {
      const relation = relationOf(row.id);
      return {
        ...{ id: row.id, version: row.version, name: row.name, short: row.short, colour: row.colour, icon: row.icon },
        ...{ description: row.description, membership: row.membership },
        members: may(viewer, "see", relation) ? (counts.get(row.id) ?? 0) : null,
        ...relation,
        deleted: row.deleted_at !== null,
      };
    });
  }

  /** How a citizen stands to the groups of the viewer's job. Three statements at most. */
  async #relations(tx: Tx, { job }: Viewer, citizenId: number): Promise<(id: number) => Relation> {
    const own = new Set((await members.membersOf(tx, job, [citizenId])).map(({ group_id }) => group_id));
    const leads = await members.ledBy(tx, job, citizenId, this.#deps.clock.now());
    return (id) => ({ own: own.has(id), leads: leads.has(id) });
  }
}
