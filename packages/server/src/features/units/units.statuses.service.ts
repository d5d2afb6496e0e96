import type { Viewer } from "#core/actor.ts";
import { foldLetters } from "#core/contract/fold.ts";
import type { OutputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { deletedColumns, keptRows, lastPosition, placesWith, reordered, restoredColumns } from "#core/ordered.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { unitsErrors, unitsPermissions } from "./units.base.contract.ts";
import type { BaseKind } from "./units.machine.ts";
import type { UnitReminders } from "./units.reminders.service.ts";
import * as units from "./units.repo.ts";
import {
  createStatus,
  type CustomStatus,
  type listStatuses,
  mostStatuses,
  orderStatuses,
  putRules,
  putStatus,
  removeStatus,
  restoreStatus,
  type StatusContent,
  type UnitRules,
} from "./units.statuses.contract.ts";
import * as repo from "./units.statuses.repo.ts";
import { rulesOf, type UnitStore } from "./units.store.service.ts";

export interface StatusesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly store: UnitStore;
  readonly reminders: UnitReminders;
}

/** Without what else the caller sent. */
const trimmed = <C extends Omit<StatusContent, "base">>({ name, colour, icon }: C) => ({
  name: name.trim() || name,
  colour,
  icon,
});

const contentOf = ({ name, base, colour, icon }: repo.StatusRow): StatusContent => {
  return { name, base: base as BaseKind, colour, icon };
};

const shown = (row: repo.StatusRow): CustomStatus => {
  return { ...contentOf(row), id: row.id, version: row.version, deleted: row.deleted_at !== null };
};

interface Written {
  readonly id: number;
  readonly before: StatusContent | undefined;
  readonly after: StatusContent | undefined;
}

const kept = keptRows<repo.StatusRow>(mostStatuses, {
  notFound: unitsErrors.statusNotFound,
  nameTaken: unitsErrors.statusTaken,
  full: unitsErrors.statusesFull,
  deletedFull: unitsErrors.statusesDeletedFull,
});

/** Custom statuses of the viewer's job, and its rules for units. */
export class StatusesService {
  readonly #deps: StatusesDeps;

  constructor(deps: StatusesDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer): Promise<OutputOf<typeof listStatuses>> {
    const mayRestore = viewer.rights.has(unitsPermissions.manage.id);
    return await this.#deps.db.read("units.listStatuses", async (tx) => {
      const rows = await repo.statusesOf(tx, viewer.job);
      return {
        items: rows.filter((row) => mayRestore || row.deleted_at === null).map(shown),
        rules: rulesOf((await repo.rulesOf(tx, [viewer.job])).get(viewer.job)),
      };
    });
  }

  async create(call: CallContext, sent: StatusContent): Promise<CustomStatus> {
    const content = { ...trimmed(sent), base: sent.base };
    return await this.#write(call, createStatus.id, async (tx, rows, { job }) => {
      kept.requireNew(rows, content.name);
      return { id: await this.add(tx, job, content, rows), before: undefined, after: content };
    });
  }

  /** Behind the others. */
  async add(tx: Tx, job: string, content: StatusContent, rows: readonly repo.StatusRow[]): Promise<number> {
    const place = { deleted_marker: 0, position: lastPosition(rows), version: 1 };
    const row = { ...content, name_key: foldLetters(content.name), job, ...place };
    return await repo.insert(tx, row);
  }

  async put(call: CallContext, id: number, { version, ...sent }: Omit<StatusContent, "base"> & { version: number }) {
    const content = trimmed(sent);
    return await this.#write(call, putStatus.id, async (tx, rows) => {
      const row = kept.find(rows, id, false);
      if (row.version !== version) throw new AppError(unitsErrors.stale, { extra: { current: shown(row) } });
      kept.requireFree(rows, content.name, id);
      await repo.update(tx, id, { ...content, name_key: foldLetters(content.name), version: version + 1 });
      const before = contentOf(row);
      return { id, before, after: { ...before, ...content } };
    });
  }

  async remove(call: CallContext, id: number): Promise<void> {
    await this.#write(call, removeStatus.id, async (tx, rows, viewer) => {
      const row = kept.find(rows, id, false);
      await repo.update(tx, id, deletedColumns(row, this.#deps.clock.now(), viewer.characterId));
      await units.clearStatus(tx, id);
      return { id, before: contentOf(row), after: undefined };
    });
  }

  async restore(call: CallContext, id: number): Promise<CustomStatus> {
    return await this.#write(call, restoreStatus.id, async (tx, rows) => {
      const row = kept.find(rows, id, true);
      kept.requireRestorable(rows, row);
      await repo.update(tx, id, restoredColumns(row));
      for (const { row: moved, position } of placesWith(rows, row)) await repo.update(tx, moved.id, { position });
      return { id, before: undefined, after: contentOf(row) };
    });
  }

  async order(call: CallContext, ids: readonly number[]): Promise<void> {
    const { db, audit, store } = this.#deps;
    const { job } = call.viewer();
    await db.write(orderStatuses.id, async (tx) => {
      await store.lock(tx, job);
      const rows = (await repo.statusesOf(tx, job)).filter(({ deleted_at }) => deleted_at === null);
      const named = ids.map((id) => kept.find(rows, id, false));
      const { sorted, moved } = reordered(rows, named);
      if (moved.length === 0) return;
      for (const { row, position } of moved) await repo.update(tx, row.id, { position });
      const names = (all: readonly repo.StatusRow[]) => all.map(({ name }) => name).join(", ");
      const [before, after] = [{ order: names(rows) }, { order: names(sorted) }];
      await audit.record(tx, call.actor, { action: orderStatuses.id, info: { job }, before, after });
      await store.changed(tx, job);
    });
  }

  async putRules(call: CallContext, sent: UnitRules): Promise<UnitRules> {
    const { db, audit, clock, store, reminders } = this.#deps;
    const { job } = call.viewer();
    return await db.write(putRules.id, async (tx) => {
      const before = await store.lock(tx, job);
      const { version, ...old } = before;
      if (version !== sent.version) throw new AppError(unitsErrors.stale, { extra: { current: before } });
      const { returns, selfJoin, longMinutes, aloneMinutes } = sent;
      const after = { returns, selfJoin, longMinutes, aloneMinutes };
      await repo.saveRules(tx, {
        job,
        returns: returns ? 1 : 0,
        self_join: selfJoin ? 1 : 0,
        long_minutes: longMinutes,
        alone_minutes: aloneMinutes,
        version: version + 1,
        updated_at: clock.now(),
      });
      await audit.record(tx, call.actor, { action: putRules.id, object: { kind: "job", id: job }, before: old, after });
      await reminders.planJob(tx, job);
      await store.changed(tx, job);
      return { version: version + 1, ...after };
    });
  }

  /** What it changed is recorded, published and answered. */
  async #write(
    call: CallContext,
    action: string,
    work: (tx: Tx, rows: readonly repo.StatusRow[], viewer: Viewer) => Promise<Written>,
  ): Promise<CustomStatus> {
    const { db, audit, store } = this.#deps;
    const viewer = call.viewer();
    return await db.write(action, async (tx) => {
      await store.lock(tx, viewer.job);
      const { id, before, after } = await work(tx, await repo.statusesOf(tx, viewer.job), viewer);
      const object = { kind: "units.status", id, name: (after ?? before)?.name ?? "" };
      const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
      await audit.record(tx, call.actor, { action, object, info: { job: viewer.job }, ...change });
      await store.changed(tx, viewer.job);
      return shown((await repo.statusesById(tx, [id])).get(id)!);
    });
  }
}
