import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { AccessLists, Rules } from "#features/accesslists/accesslists.api.ts";
import type { AccessEntry } from "#features/accesslists/accesslists.contract.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { putUnitAccess, type Unit, unitsErrors, unitsPermissions } from "./units.contract.ts";
import { objectOf } from "./units.crew.service.ts";
import * as repo from "./units.repo.ts";
import type { UnitRow } from "./units.repo.ts";
import type { ShownUnits } from "./units.shown.service.ts";
import type { UnitStore } from "./units.store.service.ts";

export interface UnitAccessDeps {
  readonly db: Database;
  readonly audit: AuditApi;
  readonly lists: AccessLists;
  readonly store: UnitStore;
  readonly shown: ShownUnits;
}

/** Everybody of its job, until it has a list; not even who wrote the list is let in by that. */
export const rulesOfUnit = ({ job, restricted }: Pick<UnitRow, "job" | "restricted">): Rules => ({
  creatorId: null,
  creatorJob: job,
  public: restricted === 0,
});

/** Who may join which unit. */
export class UnitAccess {
  readonly #deps: UnitAccessDeps;

  constructor(deps: UnitAccessDeps) {
    this.#deps = deps;
  }

  async get(viewer: Viewer, id: number): Promise<{ version: number; entries: AccessEntry[] }> {
    const { db, shown, lists } = this.#deps;
    return await db.read("units.getAccess", async (tx) => {
      const { version } = await shown.own(tx, viewer, id);
      return { version, entries: await lists.list(tx, id) };
    });
  }

  async put(
    call: CallContext,
    id: number,
    { version, entries }: { readonly version: number; readonly entries: readonly AccessEntry[] },
  ): Promise<Unit> {
    const { db, store, shown, lists, audit } = this.#deps;
    const viewer = call.viewer();
    return await db.write(putUnitAccess.id, async (tx) => {
      await store.lock(tx, viewer.job);
      const row = await shown.own(tx, viewer, id);
      if (row.version !== version) throw new AppError(unitsErrors.stale, { extra: { current: await shown.one(tx, viewer, id) } });
      const before = await lists.list(tx, id);
      // Who sets units up may leave themselves out: a list of a unit gives no right over the list.
      const rules = { creatorId: viewer.characterId, creatorJob: viewer.job, public: entries.length === 0 };
      await lists.save(tx, viewer, id, entries, rules);
      await repo.update(tx, id, { restricted: entries.length === 0 ? 0 : 1, version: version + 1 });
      await audit.record(tx, call.actor, {
        action: putUnitAccess.id,
        object: objectOf(row),
        info: { job: row.job },
        before: { access: said(before) },
        after: { access: said(entries) },
      });
      await store.changed(tx, row.job);
      return await shown.one(tx, viewer, id);
    });
  }

  /** Throws for somebody whom the list of a unit leaves out. */
  async requireJoin(tx: Tx, viewer: Viewer, unit: UnitRow): Promise<void> {
    if ((await this.admitted(tx, viewer, [unit])).has(unit.id)) return;
    throw new AppError(unitsErrors.notAdmitted, { params: { name: unit.name } });
  }

  /** Of these units, those that the viewer may join by their lists; in one statement. */
  async admitted(tx: Tx, viewer: Viewer, units: readonly UnitRow[]): Promise<ReadonlySet<number>> {
    const bound = viewer.rights.has(unitsPermissions.assign.id) ? [] : units.filter(({ restricted }) => restricted === 1);
    const objects = bound.map((unit) => ({ id: unit.id, rules: rulesOfUnit(unit) }));
    const decided = bound.length === 0 ? new Map<number, never>() : await this.#deps.lists.decideMany(tx, viewer, objects);
    return new Set(units.map(({ id }) => id).filter((id) => (decided.get(id)?.level ?? 1) > 0));
  }
}

/** As the audit log has it. */
const said = (entries: readonly AccessEntry[]) =>
  entries
    .map(({ subject, job, minGrade, id, level }) => `${subject} ${subject === "job" ? `${job} ${minGrade}` : id}: ${level}`)
    .join(", ");
