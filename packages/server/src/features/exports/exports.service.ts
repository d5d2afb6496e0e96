import type { Actor } from "#core/actor.ts";
import { retryOnDuplicate } from "#core/db/retry.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { InputOf } from "#core/contract/index.ts";
import type { FileAnswer } from "#core/contract/operation.ts";
import type { Clock, Database, ExportKind, Storage, Tasks, Tx } from "#core/ports/index.ts";
import { Zone } from "#core/zone.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { AuthApi } from "#features/auth/auth.api.ts";
import { dropExport, type Export, exportsErrors, keptMs, mostKept, type requestExport, writeExport } from "./exports.contract.ts";
import { exportOf } from "./exports.output.policy.ts";
import { freeSlot, readFilter, refusalOf, stateAfter } from "./exports.policy.ts";
import { exportMachine } from "./exports.machine.ts";
import * as repo from "./exports.repo.ts";

export interface ExportsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly storage: Storage;
  readonly audit: AuditApi;
  readonly auth: AuthApi;
  readonly zone: string;
  kind(id: string): ExportKind | null;
}

type Request = InputOf<typeof requestExport>["body"];

/** Key of the worker task of an export. */
const taskKey = (id: number) => `export/${id}`;
const objectOf = (id: number) => ({ kind: "exports.export", id }) as const;

/** Requests exports and gives out their files. */
export class ExportsService {
  readonly #deps: ExportsDeps;

  constructor(deps: ExportsDeps) {
    this.#deps = deps;
  }

  async request(call: CallContext, { kind: kindId, filter: given, characterId, language }: Request): Promise<Export> {
    const { db, clock, tasks, audit } = this.#deps;
    const { accountId, sessionId, address } = call.account();
    const kind = this.#deps.kind(kindId);
    if (!kind) throw new AppError(exportsErrors.kindUnknown, { params: { kind: kindId } });
    const actor = await this.#permitted(call, kind, characterId);
    const filter = readFilter(kind.filter, given);
    return await retryOnDuplicate(db, "exports.request", async (tx) => {
      const open = await this.#openOf(tx, accountId);
      await this.#discard(tx, await repo.finishedBeyond(tx, accountId, mostKept - 1));
      const now = clock.now();
      const id = await repo.insert(tx, {
        account_id: accountId,
        session_id: sessionId,
        character_id: characterId,
        address,
        kind: kind.id,
        filter: JSON.stringify({ v: 1, filter }),
        scope: kind.scopeOf(actor),
        language,
        slot: freeSlot(open.map(({ slot }) => slot)),
        task_id: "",
        state: exportMachine.initial,
        rows: 0,
        bytes: 0,
        created_at: now,
        kept_since: now,
      });
      const taskId = await tasks.enqueue(tx, writeExport, { payload: { id }, key: taskKey(id) });
      await repo.update(tx, id, { task_id: taskId });
      await audit.record(tx, actor, { action: "exports.request", object: objectOf(id), info: { kind: kind.id, filter } });
      return exportOf((await repo.find(tx, id))!, await tasks.status(tx, taskId));
    });
  }

  async list(accountId: number, kind?: string): Promise<{ items: Export[] }> {
    const { db, clock, tasks } = this.#deps;
    return await db.read("exports.list", async (tx) => {
      const rows = (await repo.listOf(tx, accountId, kind)).filter((row) => row.kept_since + keptMs > clock.now());
      const items: Export[] = [];
      for (const row of rows) items.push(exportOf(row, row.slot === null ? null : await tasks.status(tx, row.task_id)));
      return { items };
    });
  }

  /** Cancels it if it is open; an attempt that runs ends without an effect. */
  async remove(call: CallContext, id: number): Promise<void> {
    const { db, audit } = this.#deps;
    const { accountId } = call.account();
    await db.write("exports.remove", async (tx) => {
      const row = await repo.find(tx, id);
      if (row?.account_id !== accountId) throw new AppError(exportsErrors.notFound);
      await this.#discard(tx, [row]);
      const info = { kind: row.kind, cancelled: row.state === "open" };
      await audit.record(tx, call.actor, { action: "exports.remove", object: objectOf(id), info });
    });
  }

  /** Throws unless it is the caller's own, is complete, and its rows are still what the caller may read. */
  async download(call: CallContext, id: number): Promise<FileAnswer> {
    const { db, clock, storage, audit, zone } = this.#deps;
    const { accountId } = call.account();
    const row = await db.read("exports.download", async (tx) => await repo.find(tx, id));
    const kind = row && this.#deps.kind(row.kind);
    const key = row?.object_key;
    const expired = row !== null && row.kept_since + keptMs <= clock.now();
    if (!kind || !key || row.account_id !== accountId || stateAfter(row, "download") === null || expired)
      throw new AppError(exportsErrors.notFound);
    const actor = await this.#permitted(call, kind, row.character_id);
    if (kind.scopeOf(actor) !== row.scope) throw new AppError(exportsErrors.refused);
    const { filter } = JSON.parse(row.filter) as { filter: unknown };
    // Throws where the filter needs a right that has ended, such as that to find citizens by the plates of their vehicles.
    await db.read("exports.filter", async (tx) => await kind.count(tx, { actor, filter, requestedAt: row.created_at }, 1));
    if (!(await storage.stat(key))) throw new AppError(exportsErrors.notFound, { detail: `${key} is not in the storage` });
    await db.write("exports.downloaded", async (tx) => {
      const info = { kind: row.kind, rows: row.rows };
      await audit.record(tx, actor, { action: "exports.download", object: objectOf(id), info });
    });
    return {
      type: "text/csv; charset=utf-8",
      name: `${row.kind.replaceAll(".", "-")}-${new Zone(zone).dayOf(row.created_at)}.csv`,
      size: row.bytes,
      async body(range) {
        const found = await storage.open(key, range);
        if (!found) throw new AppError(exportsErrors.notFound, { detail: `${key} is not in the storage` });
        return found.bytes;
      },
    };
  }

  /** Removes exports, with their files, that were requested or finished before an instant; returns how many. */
  async removeOld(tx: Tx, before: number, limit: number): Promise<number> {
    const rows = await repo.keptSinceBefore(tx, before, limit);
    await this.#discard(tx, rows);
    return rows.length;
  }

  async purgeAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
    await this.#discard(tx, await repo.ofAccounts(tx, accountIds));
  }

  /** Their files are not part of a backup. */
  async restored(tx: Tx): Promise<void> {
    await repo.removeAll(tx);
  }

  /** Open exports of an account. One whose task is gone or dead has failed, and is closed. */
  async #openOf(tx: Tx, accountId: number): Promise<repo.ExportRow[]> {
    const { clock, tasks } = this.#deps;
    const open: repo.ExportRow[] = [];
    for (const row of await repo.openOf(tx, accountId)) {
      const status = await tasks.status(tx, row.task_id);
      if (status && status.state !== "dead") open.push(row);
      else {
        const now = clock.now();
        const state = stateAfter(row, "giveUp") ?? row.state;
        const ended = { slot: null, state, error: exportsErrors.failed.code, finished_at: now, kept_since: now };
        await repo.update(tx, row.id, ended);
      }
    }
    return open;
  }

  /** The files are removed by tasks, because the storage is outside of the transaction. */
  async #discard(tx: Tx, rows: readonly repo.ExportRow[]): Promise<void> {
    const { tasks } = this.#deps;
    if (rows.length === 0) return;
    for (const row of rows) if (row.slot !== null) await tasks.cancel(tx, writeExport, taskKey(row.id));
    await repo.remove(
      tx,
      rows.map(({ id }) => id),
    );
    const keys = rows.flatMap(({ object_key }) => (object_key === null ? [] : [object_key]));
    await tasks.enqueueAll(
      tx,
      dropExport,
      keys.map((key) => ({ payload: { key } })),
    );
  }

  /** The caller with the present rights; throws when they do not suffice. */
  async #permitted(call: CallContext, kind: ExportKind, characterId: number | null): Promise<Actor> {
    const account = call.account();
    const from = { address: call.address, userAgent: call.userAgent, traceId: call.traceId };
    const actor = await this.#deps.auth.present(account.sessionId, characterId, from);
    const refusal = refusalOf(kind.access, actor);
    if (refusal || !actor) throw refusal ?? new AppError(exportsErrors.refused);
    return actor;
  }
}
