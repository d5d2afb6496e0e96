import { foldLetters } from "#core/contract/fold.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { deletedColumns, keptRows, lastPosition, placesWith, reordered, restoredColumns } from "#core/ordered.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { PostalsApi } from "#features/postals/postals.api.ts";
import {
  createTemporary,
  createUnit,
  mostTemporary,
  mostUnits,
  orderUnits,
  putUnit,
  removeUnit,
  restoreUnit,
  type Unit,
  type UnitContent,
  unitsErrors,
} from "./units.contract.ts";
import { objectOf, type UnitCrew } from "./units.crew.service.ts";
import { initialStatus } from "./units.policy.ts";
import type { UnitReminders } from "./units.reminders.service.ts";
import * as repo from "./units.repo.ts";
import type { UnitRow } from "./units.repo.ts";
import { contentOf, type ShownUnits } from "./units.shown.service.ts";
import { noFormer, type UnitStore } from "./units.store.service.ts";

export interface UnitsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly duty: Pick<DutyApi, "held">;
  readonly postals: Pick<PostalsApi, "find">;
  readonly store: UnitStore;
  readonly crew: UnitCrew;
  readonly shown: ShownUnits;
  readonly reminders: Pick<UnitReminders, "planJob">;
}

const temporaryColour = "#475569";
const textOf = (text: string | null) => text?.trim() || null;
const listOf = (texts: readonly string[]) => [...new Set(texts.map((one) => one.trim()).filter((one) => one !== ""))];

/** Without what else the caller sent. */
const trimmed = (sent: UnitContent): UnitContent => ({
  name: sent.name.trim() || sent.name,
  callsign: textOf(sent.callsign),
  initials: sent.initials,
  colour: sent.colour,
  icon: sent.icon,
  homePostal: textOf(sent.homePostal),
  tags: listOf(sent.tags),
  roles: listOf(sent.roles),
  minCrew: sent.minCrew,
  maxCrew: sent.maxCrew,
  isStatic: sent.isStatic,
  radio: textOf(sent.radio),
});

export const columnsOf = (content: UnitContent) => ({
  name: content.name,
  name_key: foldLetters(content.name),
  callsign: content.callsign,
  initials: content.initials,
  colour: content.colour,
  icon: content.icon,
  home_postal: content.homePostal,
  tags: JSON.stringify(content.tags),
  roles: JSON.stringify(content.roles),
  min_crew: content.minCrew,
  max_crew: content.maxCrew,
  is_static: content.isStatic ? (1 as const) : (0 as const),
  radio: content.radio,
});

const kept = keptRows<UnitRow>(mostUnits, {
  notFound: unitsErrors.notFound,
  nameTaken: unitsErrors.nameTaken,
  full: unitsErrors.unitsFull,
  deletedFull: unitsErrors.deletedFull,
});

/** The units of a job, for those who set them up. */
export class UnitsService {
  readonly #deps: UnitsDeps;

  constructor(deps: UnitsDeps) {
    this.#deps = deps;
  }

  async create(call: CallContext, sent: UnitContent): Promise<Unit> {
    const { db, store, shown } = this.#deps;
    const viewer = call.viewer();
    const content = this.#checked(sent);
    return await db.write(createUnit.id, async (tx) => {
      await store.lock(tx, viewer.job);
      const id = await this.add(tx, { job: viewer.job, content, temporary: false, by: viewer.characterId });
      await this.#record(tx, call, createUnit.id, id, undefined, content);
      return await shown.one(tx, viewer, id);
    });
  }

  async createTemporary(call: CallContext, { name }: { readonly name: string }): Promise<Unit> {
    const { db, store, shown, crew, duty } = this.#deps;
    const viewer = call.viewer();
    const trim = name.trim() || name;
    const initials = trim.slice(0, 2).toUpperCase();
    const content: UnitContent = {
      ...{ name: trim, callsign: null, initials, colour: temporaryColour, icon: null, homePostal: null },
      ...{ tags: [], roles: [], minCrew: 1, maxCrew: 20, isStatic: false, radio: null },
    };
    return await db.write(createTemporary.id, async (tx) => {
      await store.lock(tx, viewer.job);
      const present = (await duty.held(tx, [viewer.characterId])).get(viewer.characterId);
      if (present?.job !== viewer.job) throw new AppError(unitsErrors.notOnDuty);
      const own = (await repo.unitsIn(tx, [viewer.job])).filter(
        (row) => row.temporary === 1 && row.created_by === viewer.characterId,
      );
      if (own.length >= mostTemporary) throw new AppError(unitsErrors.temporaryFull, { params: { most: mostTemporary } });
      const id = await this.add(tx, { job: viewer.job, content, temporary: true, by: viewer.characterId });
      await this.#record(tx, call, createTemporary.id, id, undefined, content);
      await crew.enter(tx, (await repo.find(tx, id))!, { id: viewer.characterId }, null, viewer);
      return await shown.one(tx, viewer, id);
    });
  }

  /** A unit without a crew, behind the others. */
  async add(tx: Tx, { job, content, temporary, by }: NewUnit): Promise<number> {
    const rows = await repo.unitsIn(tx, [job]);
    // Temporary units come and go by themselves.
    const removed = temporary ? [] : (await repo.removedIn(tx, job)).filter((row) => row.temporary === 0);
    kept.requireNew([...rows, ...removed], content.name);
    const now = this.#deps.clock.now();
    const id = await repo.insert(tx, {
      ...columnsOf(content),
      ...noFormer,
      job,
      deleted_marker: 0,
      temporary: temporary ? 1 : 0,
      position: lastPosition(rows),
      base: initialStatus.base,
      status_id: null,
      status_at: now,
      has_work: 0,
      empty_since: now,
      version: 1,
      created_at: now,
      created_by: by,
    });
    await this.#deps.store.record(tx, id, { what: "created", why: "byHand", by });
    if (rows.length === 0) await this.#deps.reminders.planJob(tx, job);
    return id;
  }

  async put(call: CallContext, id: number, { version, ...sent }: UnitContent & { version: number }): Promise<Unit> {
    const { db, store, shown } = this.#deps;
    const viewer = call.viewer();
    const content = this.#checked(sent);
    return await db.write(putUnit.id, async (tx) => {
      await store.lock(tx, viewer.job);
      const row = await shown.own(tx, viewer, id);
      if (row.version !== version) throw new AppError(unitsErrors.stale, { extra: { current: await shown.one(tx, viewer, id) } });
      kept.requireFree(await repo.unitsIn(tx, [viewer.job]), content.name, id);
      const crew = (await repo.membersOf(tx, [id])).length;
      await repo.update(tx, id, { ...columnsOf(content), version: version + 1 });
      await store.record(tx, id, { what: "changed", why: "byHand", by: viewer.characterId });
      await store.settle(tx, row, { crew, minCrew: row.min_crew });
      await this.#record(tx, call, putUnit.id, id, contentOf(row), content);
      return await shown.one(tx, viewer, id);
    });
  }

  async remove(call: CallContext, id: number): Promise<void> {
    const { db, store, shown, clock } = this.#deps;
    const viewer = call.viewer();
    await db.write(removeUnit.id, async (tx) => {
      await store.lock(tx, viewer.job);
      const row = await shown.own(tx, viewer, id);
      for (const { citizen_id } of await repo.membersOf(tx, [id]))
        await store.take(tx, citizen_id, "unitRemoved", viewer.characterId);
      await repo.update(tx, id, { ...deletedColumns(row, clock.now(), viewer.characterId), ...noFormer, has_work: 0 });
      await store.record(tx, id, { what: "removed", why: "byHand", by: viewer.characterId });
      await this.#record(tx, call, removeUnit.id, id, contentOf(row), undefined);
    });
  }

  async restore(call: CallContext, id: number): Promise<Unit> {
    const { db, store, shown, clock, reminders } = this.#deps;
    const viewer = call.viewer();
    return await db.write(restoreUnit.id, async (tx) => {
      await store.lock(tx, viewer.job);
      const row = await shown.own(tx, viewer, id, true);
      const rows = await repo.unitsIn(tx, [viewer.job]);
      kept.requireRestorable(rows, row);
      // Who restores a temporary unit wants it to stay.
      await repo.update(tx, id, { ...restoredColumns(row), temporary: 0, empty_since: clock.now() });
      for (const { row: moved, position } of placesWith(rows, row)) await repo.update(tx, moved.id, { position });
      await store.record(tx, id, { what: "restored", why: "byHand", by: viewer.characterId });
      if (rows.length === 0) await reminders.planJob(tx, viewer.job);
      await this.#record(tx, call, restoreUnit.id, id, undefined, contentOf(row));
      return await shown.one(tx, viewer, id);
    });
  }

  async order(call: CallContext, ids: readonly number[]): Promise<void> {
    const { db, store, audit } = this.#deps;
    const { job } = call.viewer();
    await db.write(orderUnits.id, async (tx) => {
      await store.lock(tx, job);
      const rows = await repo.unitsIn(tx, [job]);
      const named = ids.map((id) => kept.find(rows, id, false));
      const { sorted, moved } = reordered(rows, named);
      if (moved.length === 0) return;
      for (const { row, position } of moved) await repo.update(tx, row.id, { position });
      const names = (all: readonly UnitRow[]) => all.map(({ name }) => name).join(", ");
      const [before, after] = [{ order: names(rows) }, { order: names(sorted) }];
      await audit.record(tx, call.actor, { action: orderUnits.id, info: { job }, before, after });
      await store.changed(tx, job);
    });
  }

  #checked(sent: UnitContent): UnitContent {
    const content = trimmed(sent);
    const { minCrew: least, maxCrew: most, homePostal: code } = content;
    if (least > most) throw new AppError(unitsErrors.crewRange, { params: { least, most } });
    if (code === null) return content;
    const postal = this.#deps.postals.find(code);
    if (postal === null) throw new AppError(unitsErrors.postalUnknown, { params: { code } });
    return { ...content, homePostal: postal.code };
  }

  async #record(
    tx: Tx,
    call: CallContext,
    action: string,
    id: number,
    before: UnitContent | undefined,
    after: UnitContent | undefined,
  ): Promise<void> {
    const { audit, store } = this.#deps;
    const { job } = call.viewer();
    const object = objectOf({ id, name: (after ?? before)!.name });
    const change = {
      ...(before === undefined ? {} : { before: said(before) }),
      ...(after === undefined ? {} : { after: said(after) }),
    };
    await audit.record(tx, call.actor, { action, object, info: { job }, ...change });
    await store.changed(tx, job);
  }
}

export interface NewUnit {
  readonly job: string;
  readonly content: UnitContent;
  readonly temporary: boolean;
  readonly by: number | null;
}

/** As the audit log has it. */
const said = ({ tags, roles, ...more }: UnitContent) => ({ ...more, tags: tags.join(", "), roles: roles.join(", ") });
