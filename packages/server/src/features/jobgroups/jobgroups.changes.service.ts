import type { Viewer } from "#core/actor.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { jobgroupsChanged, type WholeGroup } from "./jobgroups.contract.ts";
import type { GroupNode } from "./jobgroups.membership.policy.ts";
import * as repo from "./jobgroups.repo.ts";
import type { Resolver } from "./jobgroups.resolve.service.ts";
import type { ShownGroups } from "./jobgroups.shown.service.ts";

export interface ChangesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly resolver: Resolver;
  readonly shown: ShownGroups;
}

/** The groups of the job, locked. */
export interface Locked {
  readonly rows: readonly repo.GroupRow[];
  readonly nodes: readonly GroupNode[];
}

export interface Written {
  readonly id: number;
  readonly name: string;
  readonly before?: Record<string, string | null>;
  readonly after?: Record<string, string | null>;
}

/** What every change of a group leaves behind. */
export class GroupChanges {
  readonly #deps: ChangesDeps;

  constructor(deps: ChangesDeps) {
    this.#deps = deps;
  }

  /** With the groups of the job locked; what it changed is recorded, published and answered. */
  async write(
    call: CallContext,
    action: string,
    work: (tx: Tx, locked: Locked, viewer: Viewer) => Promise<Written>,
  ): Promise<WholeGroup> {
    const { db, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(action, async (tx) => {
      const rows = await repo.groupsOf(tx, viewer.job);
      const written = await work(tx, { rows, nodes: await repo.nodesOf(tx, viewer.job, rows) }, viewer);
      await this.record(tx, call, action, written);
      return await shown.whole(tx, viewer, written.id);
    });
  }

  async record(tx: Tx, call: CallContext, action: string, { id, name, before, after }: Written): Promise<void> {
    const { audit, resolver } = this.#deps;
    const { job } = call.viewer();
    const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    const object = { kind: "jobgroups.group", id, name };
    await audit.record(tx, call.actor, { action, object, info: { job }, ...change });
    await resolver.jobChanged(tx, job);
    await this.changed(tx, job);
  }

  async changed(tx: Tx, job: string): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, jobgroupsChanged, { key: "jobgroups", version: clock.now(), payload: { jobs: [job] } });
  }
}
