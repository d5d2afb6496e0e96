import type { Viewer } from "#core/actor.ts";
import { type InputOf, mostCounted, type OutputOf, type Page } from "#core/contract/index.ts";
import { readCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import { invalid } from "#core/invalid.ts";
import { keysetPage } from "#core/paging.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type explainMember, jobgroupsErrors, type listMembers, type Member, type MemberReason } from "./jobgroups.contract.ts";
import type { GroupExclusions } from "./jobgroups.exclusions.service.ts";
import * as repo from "./jobgroups.members.repo.ts";
import { type Because, standings } from "./jobgroups.membership.policy.ts";
import { may, requireAbility } from "./jobgroups.policy.ts";
import { nodesOf } from "./jobgroups.repo.ts";
import type { Resolver } from "./jobgroups.resolve.service.ts";
import type { RuleKinds } from "./jobgroups.rules.service.ts";
import type { FoundGroup, ShownGroups } from "./jobgroups.shown.service.ts";

export interface PeopleDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly rules: RuleKinds;
  readonly resolver: Resolver;
  readonly shown: ShownGroups;
  readonly exclusions: GroupExclusions;
}

type MembersQuery = InputOf<typeof listMembers>["query"];
type Explained = OutputOf<typeof explainMember>;

const usualLimit = 50;
const noReason = { by: null, at: null, rule: null, until: null, group: null } as const;

/** Who is in a group, and why. */
export class GroupPeople {
  readonly #deps: PeopleDeps;

  constructor(deps: PeopleDeps) {
    this.#deps = deps;
  }

  async members(viewer: Viewer, id: number, query: MembersQuery): Promise<Page<Member>> {
    return await this.#deps.db.read("jobgroups.members", async (tx) => {
      const count = async () => await repo.countOf(tx, id, mostCounted + 1);
      return await this.#page(tx, viewer, id, query, count);
    });
  }

  /** For the export: a page without its total. */
  async exported(tx: Tx, viewer: Viewer, id: number, query: MembersQuery): Promise<Page<Member>> {
    return await this.#page(tx, viewer, id, query, async () => await Promise.resolve(0));
  }

  /** For the export: how many there are, counted up to `cap`. */
  async count(tx: Tx, viewer: Viewer, id: number, cap: number): Promise<number> {
    await this.#require(tx, viewer, id, "see");
    return await repo.countOf(tx, id, cap);
  }

  async explain(viewer: Viewer, id: number, citizenId: number): Promise<Explained> {
    const { db, clock, shown, resolver } = this.#deps;
    return await db.read("jobgroups.explain", async (tx) => {
      const found = await shown.find(tx, viewer, id);
      if (citizenId !== viewer.characterId) requireAbility(viewer, "explain", found.relation);
      const nodes = await nodesOf(tx, viewer.job, found.rows);
      const now = clock.now();
      const facts = (await resolver.facts(tx, viewer.job, nodes, [citizenId], now)).get(citizenId);
      if (facts === undefined) throw new AppError(jobgroupsErrors.personUnknown);
      const { member, because } = standings(nodes, facts).get(id)!;
      const running = await repo.exclusionsOf(tx, viewer.job, [citizenId], now);
      const [exclusion] = await this.#deps.exclusions.shown(
        tx,
        running.filter(({ group_id }) => group_id === id),
      );
      const seesWhy = may(viewer, "explain", found.relation);
      return {
        citizen: { id: citizenId, name: (await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? `CIT-${citizenId}` },
        member,
        reasons: await this.#reasons(tx, viewer, found, citizenId, because),
        // Why somebody is kept out is for those who decide about it.
        exclusion: exclusion === undefined ? null : seesWhy ? exclusion : { ...exclusion, reason: "", by: null },
      };
    });
  }

  async #reasons(
    tx: Tx,
    viewer: Viewer,
    { row, rows, sees }: FoundGroup,
    citizenId: number,
    because: readonly Because[],
  ): Promise<MemberReason[]> {
    const [post] = await repo.postsIn(tx, "jobgroups_hand", row.id, [citizenId]);
    const adder = post?.added_by == null ? null : ((await namesOfCitizens(tx, [post.added_by])).get(post.added_by) ?? null);
    const grade = (await repo.gradesOf(tx, viewer.job, [citizenId])).get(citizenId);
    const citizen = { id: citizenId, grade: grade ?? 0 };
    const rules = await this.#deps.rules.named(
      tx,
      viewer,
      because.flatMap((one) => (one.kind === "rule" ? [one.rule] : [])),
      citizen,
    );
    let next = 0;
    return because.map((one): MemberReason => {
      if (one.kind === "hand") return { ...noReason, kind: "hand", by: adder, at: post?.added_at ?? null };
      if (one.kind === "rule") {
        const isSeen = this.#deps.rules.sees(viewer, one.rule, citizen);
        const until = isSeen ? this.#deps.exclusions.lastDay(one.until) : null;
        return { ...noReason, kind: "rule", rule: rules[next++] ?? null, until };
      }
      if (!sees(one.id)) return { ...noReason, kind: "group" };
      const group = rows.find(({ id }) => id === one.id)!;
      return { ...noReason, kind: "group", group: { id: group.id, name: group.name, short: group.short } };
    });
  }

  async #require(tx: Tx, viewer: Viewer, id: number, ability: "see"): Promise<FoundGroup> {
    const found = await this.#deps.shown.find(tx, viewer, id);
    requireAbility(viewer, ability, found.relation);
    return found;
  }

  async #page(
    tx: Tx,
    viewer: Viewer,
    id: number,
    { cursor, limit = usualLimit }: MembersQuery,
    count: () => Promise<number>,
  ): Promise<Page<Member>> {
    const found = await this.#require(tx, viewer, id, "see");
    const rows = await repo.pageOf(tx, id, { after: cursor === undefined ? null : placeOf(cursor), limit: limit + 1 });
    const cursorOf = (row: repo.MemberRow) => ({ order: "", key: row.name_key, id: row.citizen_id });
    const page = keysetPage({ rows, limit, count: await count(), cursorOf });
    return { ...page, items: await this.#members(tx, found, page.items) };
  }

  async #members(tx: Tx, { row: { id, job } }: FoundGroup, rows: readonly repo.MemberRow[]): Promise<Member[]> {
    const ids = rows.map(({ citizen_id }) => citizen_id);
    const names = await namesOfCitizens(tx, ids);
    const grades = await repo.gradesOf(tx, job, ids);
    const labels = await this.#deps.jobs.labels(tx);
    const who = (posts: readonly repo.HandRow[]) => new Set(posts.map(({ citizen_id }) => citizen_id));
    const byHand = who(await repo.postsIn(tx, "jobgroups_hand", id, ids));
    const leaders = who(await repo.postsIn(tx, "jobgroups_leaders", id, ids));
    return ids.map((one) => ({
      id: one,
      name: names.get(one) ?? `CIT-${one}`,
      grade: labels.badge(job, grades.get(one) ?? 0).gradeLabel,
      byHand: byHand.has(one),
      leads: leaders.has(one),
    }));
  }
}

function placeOf(cursor: string): { key: string; id: number } {
  const { key, id } = readCursor(cursor);
  if (typeof key !== "string") throw invalid("query.cursor", "is not the `next` of a page");
  return { key, id };
}
