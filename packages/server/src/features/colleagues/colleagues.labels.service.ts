import type { Viewer } from "#core/actor.ts";
import { foldLetters } from "#core/contract/fold.ts";
import { DuplicateKey } from "#core/db/errors.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { deletedColumns, lastPosition, placesWith, reordered, restoredColumns } from "#core/ordered.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { JobgroupsApi } from "#features/jobgroups/jobgroups.api.ts";
import { type ColleagueLabel, colleaguesErrors, colleaguesPermissions, type LabelContent } from "./colleagues.base.contract.ts";
import { colleaguesChanged } from "./colleagues.contract.ts";
import { createLabel, orderLabels, putLabel, removeLabel, restoreLabel } from "./colleagues.labels.contract.ts";
import { contentOf, kept, labelTaken, trimmed } from "./colleagues.labels.policy.ts";
import * as repo from "./colleagues.labels.repo.ts";
import { reachesNobody, reachOfField } from "./colleagues.policy.ts";

export interface LabelsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly jobgroups: Pick<JobgroupsApi, "jobChanged" | "renamed">;
}

/** Labels of the viewer's job. */
export class LabelsService {
  readonly #deps: LabelsDeps;

  constructor(deps: LabelsDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer): Promise<{ items: ColleagueLabel[] }> {
    const mayRestore = viewer.rights.has(colleaguesPermissions.labels.id);
    return await this.#deps.db.read("colleagues.listLabels", async (tx) => {
      const rows = await repo.labelsOf(tx, viewer.job);
      const shown = await this.#shown(tx, viewer);
      return { items: rows.filter((row) => mayRestore || row.deleted_at === null).map(shown) };
    });
  }

  async create(call: CallContext, sent: LabelContent): Promise<ColleagueLabel> {
    const content = trimmed(sent);
    return await this.#write(call, createLabel.id, content.name, async (tx, rows, viewer) => {
      kept.requireNew(rows, content.name);
      const named = { ...content, name_key: foldLetters(content.name), deleted_marker: 0 };
      const id = await repo.insert(tx, { job: viewer.job, ...named, position: lastPosition(rows), version: 1 });
      return { id, before: undefined, after: content };
    });
  }

  async put(call: CallContext, id: number, { version, ...sent }: LabelContent & { version: number }): Promise<ColleagueLabel> {
    const content = trimmed(sent);
    return await this.#write(call, putLabel.id, content.name, async (tx, rows, viewer) => {
      const row = kept.find(rows, id, false);
      if (row.version !== version) {
        const shown = await this.#shown(tx, viewer);
        throw new AppError(colleaguesErrors.stale, { extra: { current: shown(row) } });
      }
      kept.requireFree(rows, content.name, id);
      await repo.update(tx, id, { ...content, name_key: foldLetters(content.name), version: version + 1 });
      return { id, before: contentOf(row), after: content };
    });
  }

  async remove(call: CallContext, id: number): Promise<void> {
    await this.#write(call, removeLabel.id, "", async (tx, rows, viewer) => {
      const row = kept.find(rows, id, false);
      await repo.update(tx, id, deletedColumns(row, this.#deps.clock.now(), viewer.characterId));
      return { id, before: contentOf(row), after: undefined };
    });
  }

  async restore(call: CallContext, id: number): Promise<ColleagueLabel> {
    return await this.#write(call, restoreLabel.id, "", async (tx, rows) => {
      const row = kept.find(rows, id, true);
      kept.requireRestorable(rows, row);
      await repo.update(tx, id, restoredColumns(row));
      for (const { row: moved, position } of placesWith(rows, row)) await repo.update(tx, moved.id, { position });
      return { id, before: undefined, after: contentOf(row) };
    });
  }

  async order(call: CallContext, ids: readonly number[]): Promise<void> {
    const { db, audit, outbox, clock } = this.#deps;
    const { job } = call.viewer();
    await db.write(orderLabels.id, async (tx) => {
      const rows = (await repo.labelsOf(tx, job)).filter(({ deleted_at }) => deleted_at === null);
      const named = ids.map((id) => kept.find(rows, id, false));
      const { sorted, moved } = reordered(rows, named);
      if (moved.length === 0) return;
      for (const { row, position } of moved) await repo.update(tx, row.id, { position });
      const names = (all: readonly repo.LabelRow[]) => all.map(({ name }) => name).join(", ");
      const [before, after] = [{ order: names(rows) }, { order: names(sorted) }];
      await audit.record(tx, call.actor, { action: orderLabels.id, info: { job }, before, after });
      await outbox.emit(tx, colleaguesChanged, { key: "colleagues", version: clock.now(), payload: { jobs: [job], about: [] } });
    });
  }

  /** With the labels of the job locked; what it changed is recorded, published and answered. */
  async #write(
    call: CallContext,
    action: string,
    name: string,
    work: (tx: Tx, rows: readonly repo.LabelRow[], viewer: Viewer) => Promise<Written>,
  ): Promise<ColleagueLabel> {
    const { db, audit, outbox, clock } = this.#deps;
    const viewer = call.viewer();
    const write = db.write(action, async (tx) => {
      const { id, before, after } = await work(tx, await repo.labelsOf(tx, viewer.job), viewer);
      const object = { kind: "colleagues.label", id, name: (after ?? before)?.name ?? "" };
      const change = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
      await audit.record(tx, call.actor, { action, object, info: { job: viewer.job }, ...change });
      await outbox.emit(tx, colleaguesChanged, {
        key: "colleagues",
        version: clock.now(),
        payload: { jobs: [viewer.job], about: [] },
      });
      // Who has a label that is deleted or restored is in other groups.
      if (action === removeLabel.id || action === restoreLabel.id) await this.#deps.jobgroups.jobChanged(tx, viewer.job);
      else if (action === putLabel.id && before?.name !== after?.name) await this.#deps.jobgroups.renamed(tx, viewer.job);
      const shown = await this.#shown(tx, viewer);
      return (await repo.labelsOf(tx, viewer.job)).filter((row) => row.id === id).map(shown)[0]!;
    });
    try {
      return await write;
    } catch (error) {
      // Two people at once: neither of them saw the other's label.
      if (error instanceof DuplicateKey && error.constraint === "colleagues_labels_name") throw labelTaken(name);
      throw error;
    }
  }

  async #shown(tx: Tx, viewer: Viewer): Promise<(row: repo.LabelRow) => ColleagueLabel> {
    const reach = reachOfField(viewer, "labels");
    const by = { characterId: viewer.characterId, reach };
    const counts = reachesNobody(reach) ? null : await repo.countHeld(tx, viewer.job, by, this.#deps.clock.now());
    return (row) => ({
      ...contentOf(row),
      id: row.id,
      version: row.version,
      people: counts === null ? null : (counts.get(row.id) ?? 0),
      deleted: row.deleted_at !== null,
    });
  }
}

interface Written {
  readonly id: number;
  readonly before: LabelContent | undefined;
  readonly after: LabelContent | undefined;
}
