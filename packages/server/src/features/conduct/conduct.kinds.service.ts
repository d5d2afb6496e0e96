import type { Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { foldLetters } from "#core/contract/fold.ts";
import type { OutputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { deletedColumns, keptRows, lastPosition, reordered, restoredColumns } from "#core/ordered.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { type ConductKind, conductErrors, conductPermissions, type KindContent, type Tone } from "./conduct.base.contract.ts";
import { conductChanged } from "./conduct.contract.ts";
import {
  type ConductRules,
  createKind,
  type listKinds,
  mostKinds,
  orderKinds,
  putKind,
  putRules,
  removeKind,
  restoreKind,
  type Threshold,
} from "./conduct.kinds.contract.ts";
import * as repo from "./conduct.kinds.repo.ts";

export interface KindsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
}

/** Without what else the caller sent. */
const trimmed = ({ name, colour, tone, points, expiresAfter, acknowledge }: KindContent): KindContent => {
  return { name: name.trim(), colour, tone, points, expiresAfter, acknowledge };
};

export function contentOf(row: repo.KindRow): KindContent {
  return {
    name: row.name,
    colour: row.colour,
    tone: row.tone as Tone,
    points: row.points,
    expiresAfter: row.expires_after,
    acknowledge: row.acknowledge === 1,
  };
}

export const columnsOf = ({ name, colour, tone, points, expiresAfter, acknowledge }: KindContent) => ({
  name,
  name_key: foldLetters(name),
  colour,
  tone,
  points,
  expires_after: expiresAfter,
  acknowledge: acknowledge ? (1 as const) : (0 as const),
});

const shown = (row: repo.KindRow): ConductKind => ({
  ...contentOf(row),
  id: row.id,
  version: row.version,
  deleted: row.deleted_at !== null,
});

const kept = keptRows<repo.KindRow>(mostKinds, {
  notFound: conductErrors.kindNotFound,
  nameTaken: conductErrors.nameTaken,
  full: conductErrors.kindsFull,
  deletedFull: conductErrors.deletedFull,
});

const thresholdsOf = (row: repo.RulesRow): Threshold[] => JSON.parse(row.thresholds) as Threshold[];

const rulesOf = (row: repo.RulesRow | null): ConductRules =>
  row === null ? { version: 0, thresholds: [] } : { version: row.version, thresholds: thresholdsOf(row) };

/** In the audit log, as text. */
const written = (thresholds: readonly Threshold[]) => thresholds.map(({ points, notify }) => `${points} ${notify}`).join(", ");

/** The lowest first; throws for a number of points that is there twice, of which one would be lost. */
function sorted(thresholds: readonly Threshold[]): Threshold[] {
  if (new Set(thresholds.map(({ points }) => points)).size < thresholds.length) {
    const params = { field: "body.thresholds", problem: "must have each number of points once" };
    throw new AppError(guardErrors.invalidInput, { params });
  }
  return thresholds.map(({ points, notify }) => ({ points, notify })).toSorted((a, b) => a.points - b.points);
}

/** Kinds of conduct entries of the viewer's job, and its rules. */
export class KindsService {
  readonly #deps: KindsDeps;

  constructor(deps: KindsDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer): Promise<OutputOf<typeof listKinds>> {
    const mayRestore = viewer.rights.has(conductPermissions.kinds.id);
    return await this.#deps.db.read("conduct.listKinds", async (tx) => {
      const rows = await repo.kindsOf(tx, viewer.job);
      return {
        items: rows.filter((row) => mayRestore || row.deleted_at === null).map(shown),
        rules: rulesOf(await repo.rulesOf(tx, viewer.job)),
      };
    });
  }

  async create(call: CallContext, sent: KindContent): Promise<ConductKind> {
    const content = trimmed(sent);
    return await this.#write(call, createKind.id, async (tx, rows, viewer) => {
      kept.requireNew(rows, content.name);
      const place = { deleted_marker: 0, position: lastPosition(rows), version: 1 };
      const row = { ...columnsOf(content), job: viewer.job, ...place };
      return { id: await repo.insert(tx, row), before: undefined, after: content };
    });
  }

  async put(call: CallContext, id: number, { version, ...sent }: KindContent & { version: number }): Promise<ConductKind> {
    const content = trimmed(sent);
    return await this.#write(call, putKind.id, async (tx, rows) => {
      const row = kept.find(rows, id, false);
      if (row.version !== version) throw new AppError(conductErrors.stale, { extra: { current: shown(row) } });
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

  async restore(call: CallContext, id: number): Promise<ConductKind> {
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

  async putRules(call: CallContext, { version, thresholds: sent }: ConductRules): Promise<ConductRules> {
    const { db, audit, clock } = this.#deps;
    const { job } = call.viewer();
    const thresholds = sorted(sent);
    return await db.write(putRules.id, async (tx) => {
      const before = rulesOf(await repo.lockRules(tx, job, clock.now()));
      if (before.version !== version) throw new AppError(conductErrors.stale, { extra: { current: before } });
      const stored = JSON.stringify(thresholds);
      await repo.saveRules(tx, { job, thresholds: stored, version: version + 1, updated_at: clock.now() });
      const change = { before: { thresholds: written(before.thresholds) }, after: { thresholds: written(thresholds) } };
      await audit.record(tx, call.actor, { action: putRules.id, object: { kind: "job", id: job }, ...change });
      await this.#changed(tx, job);
      return { version: version + 1, thresholds };
    });
  }

  /** The thresholds of the job, with the turn of those who write in its register. */
  async lock(tx: Tx, job: string): Promise<readonly Threshold[]> {
    return thresholdsOf(await repo.lockRules(tx, job, this.#deps.clock.now()));
  }

  /** The kinds of the job, with the turn of those who change them. */
  async #lock(tx: Tx, job: string): Promise<repo.KindRow[]> {
    await this.lock(tx, job);
    return await repo.kindsOf(tx, job);
  }

  async #changed(tx: Tx, job: string): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, conductChanged, { key: "conduct", version: clock.now(), payload: { job, citizenId: null } });
  }

  /** What it changed is recorded, published and answered. */
  async #write(
    call: CallContext,
    action: string,
    work: (tx: Tx, rows: readonly repo.KindRow[], viewer: Viewer) => Promise<Written>,
  ): Promise<ConductKind> {
    const { db, audit } = this.#deps;
    const viewer = call.viewer();
    return await db.write(action, async (tx) => {
      const { id, before, after } = await work(tx, await this.#lock(tx, viewer.job), viewer);
      const object = { kind: "conduct.kind", id, name: (after ?? before)?.name ?? "" };
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
