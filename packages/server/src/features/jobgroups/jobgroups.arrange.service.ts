import type { CallContext } from "#core/feature.ts";
import { deletedColumns, reordered, restoredColumns } from "#core/ordered.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { GroupChanges } from "./jobgroups.changes.service.ts";
import { kept, requireNesting } from "./jobgroups.content.policy.ts";
import { orderGroups, removeGroup, restoreGroup, type WholeGroup } from "./jobgroups.contract.ts";
import { removeAllOf } from "./jobgroups.members.repo.ts";
import * as repo from "./jobgroups.repo.ts";
import type { Resolver } from "./jobgroups.resolve.service.ts";

export interface ArrangeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly resolver: Resolver;
  readonly changes: GroupChanges;
}

/** Which groups a job has, and in which order. */
export class ArrangeService {
  readonly #deps: ArrangeDeps;

  constructor(deps: ArrangeDeps) {
    this.#deps = deps;
  }

  async remove(call: CallContext, id: number): Promise<void> {
    const { db, clock, resolver, changes } = this.#deps;
    const { job, characterId } = call.viewer();
    await db.write(removeGroup.id, async (tx) => {
      const row = kept.find(await repo.groupsOf(tx, job), id, false);
      await repo.update(tx, id, deletedColumns(row, clock.now(), characterId));
      // At once: access by this group ends with it. Groups around it follow in the task.
      await resolver.announce(tx, job, await removeAllOf(tx, id));
      await changes.record(tx, call, removeGroup.id, { id, name: row.name });
    });
  }

  async restore(call: CallContext, id: number): Promise<WholeGroup> {
    return await this.#deps.changes.write(call, restoreGroup.id, async (tx, { rows, nodes }, viewer) => {
      const row = kept.find(rows, id, true);
      kept.requireRestorable(rows, row);
      await repo.update(tx, id, restoredColumns(row));
      const [own] = await repo.nodesOf(tx, viewer.job, [{ ...row, deleted_at: null }]);
      requireNesting([own!, ...nodes], rows, row.name);
      return { id, name: row.name };
    });
  }

  async order(call: CallContext, ids: readonly number[]): Promise<void> {
    const { db, audit, changes } = this.#deps;
    const { job } = call.viewer();
    await db.write(orderGroups.id, async (tx) => {
      const rows = (await repo.groupsOf(tx, job)).filter(({ deleted_at }) => deleted_at === null);
      const { sorted, moved } = reordered(
        rows,
        ids.map((id) => kept.find(rows, id, false)),
      );
      if (moved.length === 0) return;
      for (const { row, position } of moved) await repo.update(tx, row.id, { position });
      const names = (all: readonly repo.GroupRow[]) => all.map(({ name }) => name).join(", ");
      const change = { before: { order: names(rows) }, after: { order: names(sorted) } };
      await audit.record(tx, call.actor, { action: orderGroups.id, info: { job }, ...change });
      await changes.changed(tx, job);
    });
  }
}
