import type { Actor, Viewer } from "#core/actor.ts";
import { foldLetters } from "#core/contract/fold.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { reordered } from "#core/ordered.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import {
  createGroup,
  type GroupContent,
  jobgroupsChanged,
  jobgroupsErrors,
  mostGroups,
  mostLevels,
  orderGroups,
  putGroup,
  removeGroup,
  restoreGroup,
  type WholeGroup,
} from "./jobgroups.contract.ts";
import { removeAllOf } from "./jobgroups.members.repo.ts";
import { type GroupNode, nestingFault } from "./jobgroups.membership.policy.ts";
import * as repo from "./jobgroups.repo.ts";
import type { Resolver } from "./jobgroups.resolve.service.ts";
import type { RuleKinds } from "./jobgroups.rules.service.ts";
import type { ShownGroups } from "./jobgroups.shown.service.ts";

export interface GroupsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly rules: RuleKinds;
  readonly resolver: Resolver;
  readonly shown: ShownGroups;
}

/** The groups of the job, locked. */
interface Locked {
  readonly rows: readonly repo.GroupRow[];
  readonly nodes: readonly GroupNode[];
}

/** Groups of a job: their own data, rules and what stands in them. */
export class GroupsService {
  readonly #deps: GroupsDeps;

  constructor(deps: GroupsDeps) {
    this.#deps = deps;
  }

  async create(call: CallContext, sent: GroupContent): Promise<WholeGroup> {
    const content = trimmed(sent);
    return await this.#write(call, createGroup.id, async (tx, locked, viewer) => {
      requireRoom(locked.rows);
      requireFree(locked.rows, content.name, 0);
      await this.#requireParts(tx, viewer.job, locked, { id: 0, ...content }, []);
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
    return await this.#write(call, putGroup.id, async (tx, locked, viewer) => {
      const row = find(locked.rows, id, false);
      const node = locked.nodes.find((one) => one.id === id)!;
      if (row.version !== version)
        throw new AppError(jobgroupsErrors.stale, { extra: { current: await this.#deps.shown.whole(tx, viewer, id) } });
      requireFree(locked.rows, content.name, id);
      // Deleted groups in it are not shown to who edits, and come back with their group.
      const gone = node.contains.filter((child) => !locked.nodes.some((one) => one.id === child));
      await this.#requireParts(tx, viewer.job, locked, { id, ...content }, node.rules);
      await repo.update(tx, id, { ...columnsOf(content), version: version + 1 });
      const contains = [...new Set([...content.contains, ...gone])];
      await repo.writeParts(tx, { id, job: viewer.job }, { rules: content.rules, contains });
      const before = audited({ ...contentOf(row), rules: [...node.rules], contains: [...node.contains] });
      return { id, name: content.name, before, after: audited(content) };
    });
  }

  async remove(call: CallContext, id: number): Promise<void> {
    const { db, clock, resolver } = this.#deps;
    const { job, characterId } = call.viewer();
    await db.write(removeGroup.id, async (tx) => {
      const row = find(await repo.groupsOf(tx, job), id, false);
      const deleted = { deleted_marker: id, deleted_at: clock.now(), deleted_by: characterId };
      await repo.update(tx, id, { ...deleted, version: row.version + 1 });
      // At once: access by this group ends with it. Groups around it follow in the task.
      await resolver.announce(tx, job, await removeAllOf(tx, id));
      await this.#record(tx, call, removeGroup.id, { id, name: row.name });
    });
  }

  async restore(call: CallContext, id: number): Promise<WholeGroup> {
    return await this.#write(call, restoreGroup.id, async (tx, { rows, nodes }, viewer) => {
      const row = find(rows, id, true);
      requireRoom(rows);
      requireFree(rows, row.name, id);
      await repo.update(tx, id, { deleted_marker: 0, deleted_at: null, deleted_by: null, version: row.version + 1 });
      const [own] = await repo.nodesOf(tx, viewer.job, [{ ...row, deleted_at: null }]);
      requireNesting([own!, ...nodes], rows, row.name);
      return { id, name: row.name };
    });
  }

  async order(call: CallContext, ids: readonly number[]): Promise<void> {
    const { db, audit, outbox, clock } = this.#deps;
    const { job } = call.viewer();
    await db.write(orderGroups.id, async (tx) => {
      const rows = (await repo.groupsOf(tx, job)).filter(({ deleted_at }) => deleted_at === null);
      const { sorted, moved } = reordered(
        rows,
        ids.map((id) => find(rows, id, false)),
      );
      if (moved.length === 0) return;
      for (const { row, position } of moved) await repo.update(tx, row.id, { position });
      const names = (all: readonly repo.GroupRow[]) => all.map(({ name }) => name).join(", ");
      const change = { before: { order: names(rows) }, after: { order: names(sorted) } };
      await audit.record(tx, call.actor, { action: orderGroups.id, info: { job }, ...change });
      await outbox.emit(tx, jobgroupsChanged, { key: "jobgroups", version: clock.now(), payload: { jobs: [job] } });
    });
  }

  async #insert(tx: Tx, job: string, rows: readonly repo.GroupRow[], content: GroupContent): Promise<number> {
    const position = Math.max(0, ...rows.map((row) => row.position)) + 1;
    const id = await repo.insert(tx, { job, ...columnsOf(content), deleted_marker: 0, position, version: 1 });
    await repo.writeParts(tx, { id, job }, content);
    return id;
  }

  /** With the groups of the job locked; what it changed is recorded, published and answered. */
  async #write(
    call: CallContext,
    action: string,
    work: (tx: Tx, locked: Locked, viewer: Viewer) => Promise<Written>,
  ): Promise<WholeGroup> {
    const { db, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(action, async (tx) => {
      const rows = await repo.groupsOf(tx, viewer.job);
      const written = await work(tx, { rows, nodes: await repo.nodesOf(tx, viewer.job, rows) }, viewer);
      await this.#record(tx, call, action, written);
      return await shown.whole(tx, viewer, written.id);
    });
  }

  async #record(tx: Tx, call: CallContext, action: string, { id, name, before, after }: Written): Promise<void> {
    const { audit, outbox, clock, resolver } = this.#deps;
    const { job } = call.viewer();
    const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    const object = { kind: "jobgroups.group", id, name };
    await audit.record(tx, call.actor, { action, object, info: { job }, ...change });
    await resolver.jobChanged(tx, job);
    await outbox.emit(tx, jobgroupsChanged, { key: "jobgroups", version: clock.now(), payload: { jobs: [job] } });
  }

  async #requireParts(
    tx: Tx,
    job: string,
    { rows, nodes }: Locked,
    group: GroupNode & Pick<GroupContent, "name">,
    before: GroupNode["rules"],
  ): Promise<void> {
    await this.#deps.rules.require(tx, job, group.rules, before);
    for (const child of group.contains) find(rows, child, false);
    requireNesting([group, ...nodes.filter(({ id }) => id !== group.id)], rows, group.name);
  }
}

interface Written {
  readonly id: number;
  readonly name: string;
  readonly before?: Record<string, string | null>;
  readonly after?: Record<string, string | null>;
}

const trimmed = ({ name, short, ...content }: GroupContent): GroupContent => ({
  ...{ name: name.trim() || name, short: short.trim() || short, description: content.description.trim() },
  ...{ colour: content.colour, icon: content.icon, membership: content.membership },
  ...{ rules: content.rules, contains: content.contains },
});

const contentOf = ({ name, short, colour, icon, description, membership }: repo.GroupRow) => {
  return { name, short, colour, icon, description, membership };
};

const columnsOf = ({ name, short, colour, icon, description, membership }: GroupContent) => {
  return { name, name_key: foldLetters(name), short, colour, icon, description, membership };
};

/** Rules and groups as texts, in which the audit log compares them. */
function audited({ rules, contains, ...content }: GroupContent): Record<string, string | null> {
  const ruleText = ({ kind, id, from, to }: GroupContent["rules"][number]) =>
    id === null ? `${kind} ${from}–${to ?? ""}` : `${kind} ${id}`;
  return { ...content, rules: rules.map(ruleText).join(", "), contains: contains.map((id) => `GRP-${id}`).join(", ") };
}

function requireFree(rows: readonly repo.GroupRow[], name: string, except: number): void {
  const key = foldLetters(name);
  if (rows.some((row) => row.deleted_at === null && row.name_key === key && row.id !== except))
    throw new AppError(jobgroupsErrors.nameTaken, { params: { name } });
}

function requireRoom(rows: readonly repo.GroupRow[]): void {
  if (rows.filter((row) => row.deleted_at === null).length >= mostGroups)
    throw new AppError(jobgroupsErrors.groupsFull, { params: { most: mostGroups } });
}

/** Throws for a circle, and for too many groups one in the other, with their names. */
function requireNesting(nodes: readonly GroupNode[], rows: readonly repo.GroupRow[], fresh: string): void {
  const fault = nestingFault(nodes, mostLevels);
  if (fault === null) return;
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const chain = fault.chain.map((id) => names.get(id) ?? fresh).join(" > ");
  throw fault.kind === "circle"
    ? new AppError(jobgroupsErrors.circle, { params: { chain } })
    : new AppError(jobgroupsErrors.tooDeep, { params: { chain, most: mostLevels } });
}

function find(rows: readonly repo.GroupRow[], id: number, isDeleted: boolean): repo.GroupRow {
  const row = rows.find((one) => one.id === id && (one.deleted_at !== null) === isDeleted);
  if (row === undefined) throw new AppError(jobgroupsErrors.notFound);
  return row;
}
