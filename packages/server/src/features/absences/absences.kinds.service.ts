import type { Viewer } from "#core/actor.ts";
import { foldLetters } from "#core/contract/fold.ts";
import type { OutputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { deletedColumns, keptRows, lastPosition, reordered, restoredColumns } from "#core/ordered.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { type AbsenceKind, absencesErrors, absencesPermissions, type KindContent, mostKinds } from "./absences.base.contract.ts";
import { absencesChanged } from "./absences.contract.ts";
import {
  type AbsenceRules,
  createKind,
  type listKinds,
  orderKinds,
  putKind,
  putRules,
  removeKind,
  restoreKind,
  usualShare,
} from "./absences.kinds.contract.ts";
import * as repo from "./absences.kinds.repo.ts";

export interface KindsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
}

/** Without what else the caller sent. */
const trimmed = ({ name, colour, icon, needsApproval, daysBack, daysAhead, mostDays }: KindContent): KindContent => {
  return { name: name.trim(), colour, icon, needsApproval, daysBack, daysAhead, mostDays };
};

export function contentOf(row: repo.KindRow): KindContent {
  return {
    name: row.name,
    colour: row.colour,
    icon: row.icon,
    needsApproval: row.needs_approval === 1,
    daysBack: row.days_back,
    daysAhead: row.days_ahead,
    mostDays: row.most_days,
  };
}

export const columnsOf = ({ name, colour, icon, needsApproval, daysBack, daysAhead, mostDays }: KindContent) => ({
  name,
  name_key: foldLetters(name),
  colour,
  icon,
  needs_approval: needsApproval ? (1 as const) : (0 as const),
  days_back: daysBack,
  days_ahead: daysAhead,
  most_days: mostDays,
});

const shown = (row: repo.KindRow): AbsenceKind => ({
  ...contentOf(row),
  id: row.id,
  version: row.version,
  deleted: row.deleted_at !== null,
});

const kept = keptRows<repo.KindRow>(mostKinds, {
  notFound: absencesErrors.kindNotFound,
  nameTaken: absencesErrors.nameTaken,
  full: absencesErrors.kindsFull,
  deletedFull: absencesErrors.deletedFull,
});

const rulesOf = (row: repo.RulesRow | null): AbsenceRules =>
  row === null ? { version: 0, share: usualShare } : { version: row.version, share: row.share };

/** Kinds of absence of the viewer's job, and its rules. */
export class KindsService {
  readonly #deps: KindsDeps;

  constructor(deps: KindsDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer): Promise<OutputOf<typeof listKinds>> {
    const mayRestore = viewer.rights.has(absencesPermissions.kinds.id);
    return await this.#deps.db.read("absences.listKinds", async (tx) => {
      const rows = await repo.kindsOf(tx, viewer.job);
      return {
        items: rows.filter((row) => mayRestore || row.deleted_at === null).map(shown),
        rules: await this.rules(tx, viewer.job),
      };
    });
  }

  async rules(tx: Tx, job: string): Promise<AbsenceRules> {
    return rulesOf(await repo.rulesOf(tx, job));
  }

  async create(call: CallContext, sent: KindContent): Promise<AbsenceKind> {
    const content = trimmed(sent);
    return await this.#write(call, createKind.id, async (tx, rows, viewer) => {
      kept.requireNew(rows, content.name);
      const place = { deleted_marker: 0, position: lastPosition(rows), version: 1 };
      const row = { ...columnsOf(content), job: viewer.job, ...place };
      return { id: await repo.insert(tx, row), before: undefined, after: content };
    });
  }

  async put(call: CallContext, id: number, { version, ...sent }: KindContent & { version: number }): Promise<AbsenceKind> {
    const content = trimmed(sent);
    return await this.#write(call, putKind.id, async (tx, rows) => {
      const row = kept.find(rows, id, false);
      if (row.version !== version) throw new AppError(absencesErrors.stale, { extra: { current: shown(row) } });
      kept.requireFree(rows, content.name, id);
      await repo.update(tx, id, { ...columnsOf(content), version: version + 1 });
      return { id, before: contentOf(row), after: content };
    });
  }

  async remove(call: CallContext, id: number): Promise<void> {
    await this.#write(call, removeKind.id, async (tx, rows, viewer) => {
      const row = kept.find(rows, id, false);
      await repo.update(tx, id, deletedColumns(row, this.#deps.clock.now(), viewer.characterId));
      return { id, before: contentOf(row), after: undefined };
    });
  }

  async restore(call: CallContext, id: number): Promise<AbsenceKind> {
    return await this.#write(call, restoreKind.id, async (tx, rows) => {
      const row = kept.find(rows, id, true);
      kept.requireRestorable(rows, row);
      await repo.update(tx, id, restoredColumns(row));
      return { id, before: undefined, after: contentOf(row) };
    });
  }

  async order(call: CallContext, ids: readonly number[]): Promise<void> {
    const { db, audit } = this.#deps;
    const { job } = call.viewer();
    await db.write(orderKinds.id, async (tx) => {
      const rows = (await this.#lock(tx, job)).filter(({ deleted_at }) => deleted_at === null);
      const named = ids.map((id) => kept.find(rows, id, false));
      const { sorted, moved } = reordered(rows, named);
      if (moved.length === 0) return;
      for (const { row, position } of moved) await repo.update(tx, row.id, { position });
      const names = (all: readonly repo.KindRow[]) => all.map(({ name }) => name).join(", ");
      const [before, after] = [{ order: names(rows) }, { order: names(sorted) }];
      await audit.record(tx, call.actor, { action: orderKinds.id, info: { job }, before, after });
      await this.#changed(tx, job);
    });
  }

  async putRules(call: CallContext, { version, share }: AbsenceRules): Promise<AbsenceRules> {
    const { db, audit, clock } = this.#deps;
    const { job } = call.viewer();
    return await db.write(putRules.id, async (tx) => {
      await this.#lock(tx, job);
      const before = await this.rules(tx, job);
      if (before.version !== version) throw new AppError(absencesErrors.stale, { extra: { current: before } });
      await repo.saveRules(tx, { job, share, version: version + 1, updated_at: clock.now() });
      const object = { kind: "job", id: job } as const;
      await audit.record(tx, call.actor, { action: putRules.id, object, before: { share: before.share }, after: { share } });
      await this.#changed(tx, job);
      return { version: version + 1, share };
    });
  }

  /** The kinds of the job, with the turn of those who change them. */
  async #lock(tx: Tx, job: string): Promise<repo.KindRow[]> {
    await repo.lockRules(tx, { job, share: usualShare, version: 0, updated_at: this.#deps.clock.now() });
    return await repo.kindsOf(tx, job);
  }

  async #changed(tx: Tx, job: string): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, absencesChanged, { key: "absences", version: clock.now(), payload: { jobs: [job] } });
  }

  /** What it changed is recorded, published and answered. */
  async #write(
    call: CallContext,
    action: string,
    work: (tx: Tx, rows: readonly repo.KindRow[], viewer: Viewer) => Promise<Written>,
  ): Promise<AbsenceKind> {
    const { db, audit } = this.#deps;
    const viewer = call.viewer();
    return await db.write(action, async (tx) => {
      const { id, before, after } = await work(tx, await this.#lock(tx, viewer.job), viewer);
      const object = { kind: "absences.kind", id, name: (after ?? before)?.name ?? "" };
      const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
      await audit.record(tx, call.actor, { action, object, info: { job: viewer.job }, ...change });
      await this.#changed(tx, viewer.job);
      return shown((await repo.kindsById(tx, [id])).get(id)!);
    });
  }
}

interface Written {
  readonly id: number;
  readonly before: KindContent | undefined;
  readonly after: KindContent | undefined;
}
