import type { Viewer } from "#core/actor.ts";
import type { OutputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { deletedColumns, lastPosition, placesWith, reordered, restoredColumns } from "#core/ordered.ts";
import type { Clock, Database, Outbox, Tasks, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { callsErrors, callsPermissions, type IncidentType, type TypeContent } from "./calls.base.contract.ts";
import { callsChanged, replanIdle } from "./calls.contract.ts";
import {
  columnsOfType,
  kept,
  notCallable,
  rowOfRules,
  rulesOfRow,
  shownType,
  trimmedType,
  typeOf,
} from "./calls.types.policy.ts";
import {
  type CallsRules,
  createType,
  type listTypes,
  orderTypes,
  putRules,
  putType,
  removeType,
  restoreType,
  usualRules,
} from "./calls.types.contract.ts";
import * as repo from "./calls.types.repo.ts";

export interface TypesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly tasks: Pick<Tasks, "enqueue">;
}

interface Written {
  readonly id: number;
  readonly before: TypeContent | undefined;
  readonly after: TypeContent | undefined;
}

/** Incident types of the viewer's job, and its rules for calls. */
export class TypesService {
  readonly #deps: TypesDeps;

  constructor(deps: TypesDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer): Promise<OutputOf<typeof listTypes>> {
    const mayRestore = viewer.rights.has(callsPermissions.setup.id);
    return await this.#deps.db.read("calls.listTypes", async (tx) => {
      const rows = await repo.typesOf(tx, [viewer.job]);
      return {
        items: rows.filter((row) => mayRestore || row.deleted_at === null).map(shownType),
        rules: await this.#rules(tx, viewer.job),
      };
    });
  }

  async create(call: CallContext, sent: TypeContent): Promise<IncidentType> {
    const content = trimmedType(sent);
    return await this.#write(call, createType.id, async (tx, rows, viewer) => {
      kept.requireNew(rows, content.code);
      await this.#requireCallable(tx, viewer, content);
      const place = { deleted_marker: 0, position: lastPosition(rows), version: 1 };
      const row = { ...columnsOfType(content), job: viewer.job, ...place };
      return { id: await repo.insert(tx, row), before: undefined, after: content };
    });
  }

  async put(call: CallContext, id: number, { version, ...sent }: TypeContent & { version: number }): Promise<IncidentType> {
    const content = trimmedType(sent);
    return await this.#write(call, putType.id, async (tx, rows, viewer) => {
      const row = kept.find(rows, id, false);
      if (row.version !== version) throw new AppError(callsErrors.stale, { extra: { current: shownType(row) } });
      kept.requireFree(rows, content.code, id);
      await this.#requireCallable(tx, viewer, content);
      await repo.update(tx, id, { ...columnsOfType(content), version: version + 1 });
      return { id, before: typeOf(row), after: content };
    });
  }

  async remove(call: CallContext, id: number): Promise<void> {
    await this.#write(call, removeType.id, async (tx, rows, viewer) => {
      const row = kept.find(rows, id, false);
      await repo.update(tx, id, deletedColumns(row, this.#deps.clock.now(), viewer.characterId));
      return { id, before: typeOf(row), after: undefined };
    });
  }

  async restore(call: CallContext, id: number): Promise<IncidentType> {
    return await this.#write(call, restoreType.id, async (tx, rows) => {
      const row = kept.find(rows, id, true);
      await this.#requireCallable(tx, call.viewer(), typeOf(row));
      kept.requireRestorable(rows, row);
      await repo.update(tx, id, restoredColumns(row));
      for (const { row: moved, position } of placesWith(rows, row)) await repo.update(tx, moved.id, { position });
      return { id, before: undefined, after: typeOf(row) };
    });
  }

  async order(call: CallContext, ids: readonly number[]): Promise<void> {
    const { db, audit } = this.#deps;
    const { job } = call.viewer();
    await db.write(orderTypes.id, async (tx) => {
      const rows = (await this.#lock(tx, job)).filter(({ deleted_at: deleted }) => deleted === null);
      const named = ids.map((id) => kept.find(rows, id, false));
      const { sorted, moved } = reordered(rows, named);
      if (moved.length === 0) return;
      for (const { row, position } of moved) await repo.update(tx, row.id, { position });
      const codes = (all: readonly repo.TypeRow[]) => all.map(({ code }) => code).join(", ");
      const [before, after] = [{ order: codes(rows) }, { order: codes(sorted) }];
      await audit.record(tx, call.actor, { action: orderTypes.id, info: { job }, before, after });
      await this.#changed(tx, job);
    });
  }

  async putRules(call: CallContext, { version, public: open, idleMinutes, waitSeconds }: CallsRules): Promise<CallsRules> {
    const { db, audit, clock, tasks } = this.#deps;
    const { job } = call.viewer();
    return await db.write(putRules.id, async (tx) => {
      await this.#lock(tx, job);
      const { version: stored, ...before } = await this.#rules(tx, job);
      if (stored !== version) throw new AppError(callsErrors.stale, { extra: { current: { ...before, version: stored } } });
      const sent = { public: open, idleMinutes, waitSeconds };
      const after: CallsRules = { ...sent, version: version + 1 };
      await repo.saveRules(tx, rowOfRules(job, after, clock.now()));
      await audit.record(tx, call.actor, { action: putRules.id, object: { kind: "job", id: job }, before, after: sent });
      if (before.idleMinutes !== sent.idleMinutes)
        await tasks.enqueue(tx, replanIdle, { payload: { job, after: 0 }, key: `idle-rule/${job}`, dueAt: clock.now() });
      await this.#changed(tx, job);
      return after;
    });
  }

  async #rules(tx: Tx, job: string): Promise<CallsRules> {
    return rulesOfRow((await repo.rulesOf(tx, [job])).get(job));
  }

  /** Of the jobs that get such calls, each is the own one or one that everybody may call. */
  async #requireCallable(tx: Tx, { job: own }: Viewer, { jobs }: TypeContent): Promise<void> {
    const job = notCallable(jobs, own, new Set(await repo.publicJobs(tx)));
    if (job !== null) throw new AppError(callsErrors.notCallable, { params: { job } });
  }

  /** The types of the job, with the turn of those who change them. */
  async #lock(tx: Tx, job: string): Promise<repo.TypeRow[]> {
    await repo.lockRules(tx, rowOfRules(job, usualRules, this.#deps.clock.now()));
    return await repo.typesOf(tx, [job]);
  }

  async #changed(tx: Tx, job: string): Promise<void> {
    const { outbox, clock } = this.#deps;
    const payload = { jobs: [job], callers: [], setup: true };
    await outbox.emit(tx, callsChanged, { key: "calls", version: clock.now(), payload });
  }

  /** What it changed is recorded, published and answered. */
  async #write(
    call: CallContext,
    action: string,
    work: (tx: Tx, rows: readonly repo.TypeRow[], viewer: Viewer) => Promise<Written>,
  ): Promise<IncidentType> {
    const { db, audit } = this.#deps;
    const viewer = call.viewer();
    return await db.write(action, async (tx) => {
      const { id, before, after } = await work(tx, await this.#lock(tx, viewer.job), viewer);
      const object = { kind: "calls.type", id, name: (after ?? before)?.name ?? "" };
      const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
      await audit.record(tx, call.actor, { action, object, info: { job: viewer.job }, ...change });
      await this.#changed(tx, viewer.job);
      return shownType((await repo.typesById(tx, [id])).get(id)!);
    });
  }
}
