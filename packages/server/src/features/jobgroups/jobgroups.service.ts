import type { Viewer } from "#core/actor.ts";
import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { lastPosition } from "#core/ordered.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { GroupChanges, Locked } from "./jobgroups.changes.service.ts";
import { audited, columnsOf, contentOf, kept, requireNesting, trimmed } from "./jobgroups.content.policy.ts";
import { createGroup, type GroupContent, jobgroupsErrors, putGroup, type WholeGroup } from "./jobgroups.contract.ts";
import type { GroupNode } from "./jobgroups.membership.policy.ts";
import * as repo from "./jobgroups.repo.ts";
import type { Resolver } from "./jobgroups.resolve.service.ts";
import type { RuleKinds } from "./jobgroups.rules.service.ts";
import type { ShownGroups } from "./jobgroups.shown.service.ts";

export interface GroupsDeps {
  readonly audit: AuditApi;
  readonly rules: RuleKinds;
  readonly resolver: Resolver;
  readonly shown: ShownGroups;
  readonly changes: GroupChanges;
}

/** Groups of a job: their own data, rules and what stands in them. */
export class GroupsService {
  readonly #deps: GroupsDeps;

  constructor(deps: GroupsDeps) {
    this.#deps = deps;
  }

  async create(call: CallContext, sent: GroupContent): Promise<WholeGroup> {
    const content = trimmed(sent);
    return await this.#deps.changes.write(call, createGroup.id, async (tx, locked, viewer) => {
      kept.requireNew(locked.rows, content.name);
      await this.#requireParts(tx, viewer, locked, { id: 0, ...content }, []);
      const id = await this.#insert(tx, viewer.job, locked.rows, content);
      return { id, name: content.name, after: audited(content) };
    });
  }

  /** Without checks, for the demo city. */
  async add(tx: Tx, actor: Actor, job: string, content: GroupContent): Promise<number> {
    const id = await this.#insert(tx, job, await repo.groupsOf(tx, job), content);
    const object = { kind: "jobgroups.group", id, name: content.name };
    await this.#deps.audit.record(tx, actor, { action: createGroup.id, object, info: { job }, after: audited(content) });
    await this.#deps.resolver.jobChanged(tx, job);
    return id;
  }

  async put(call: CallContext, id: number, { version, ...sent }: GroupContent & { version: number }): Promise<WholeGroup> {
    const content = trimmed(sent);
    return await this.#deps.changes.write(call, putGroup.id, async (tx, locked, viewer) => {
      const row = kept.find(locked.rows, id, false);
      const node = locked.nodes.find((one) => one.id === id)!;
      if (row.version !== version)
        throw new AppError(jobgroupsErrors.stale, { extra: { current: await this.#deps.shown.whole(tx, viewer, id) } });
      kept.requireFree(locked.rows, content.name, id);
      // Deleted groups in it are not shown to who edits, and come back with their group.
      const gone = node.contains.filter((child) => !locked.nodes.some((one) => one.id === child));
      await this.#requireParts(tx, viewer, locked, { id, ...content }, node.rules);
      await repo.update(tx, id, { ...columnsOf(content), version: version + 1 });
      const contains = [...new Set([...content.contains, ...gone])];
      await repo.writeParts(tx, { id, job: viewer.job }, { rules: content.rules, contains });
      const before = audited({ ...contentOf(row), rules: [...node.rules], contains: [...node.contains] });
      return { id, name: content.name, before, after: audited(content) };
    });
  }

  async #insert(tx: Tx, job: string, rows: readonly repo.GroupRow[], content: GroupContent): Promise<number> {
    const place = { deleted_marker: 0, position: lastPosition(rows), version: 1 };
    const id = await repo.insert(tx, { job, ...columnsOf(content), ...place });
    await repo.writeParts(tx, { id, job }, content);
    return id;
  }

  async #requireParts(
    tx: Tx,
    viewer: Viewer,
    { rows, nodes }: Locked,
    group: GroupNode & Pick<GroupContent, "name">,
    before: GroupNode["rules"],
  ): Promise<void> {
    await this.#deps.rules.require(tx, viewer, group.rules, before);
    for (const child of group.contains) kept.find(rows, child, false);
    requireNesting([group, ...nodes.filter(({ id }) => id !== group.id)], rows, group.name);
  }
}
