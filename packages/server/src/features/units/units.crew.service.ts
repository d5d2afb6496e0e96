import type { Actor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import { Overtaken } from "#core/db/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { invalid } from "#core/invalid.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { charactersWithJobsById, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import {
  dissolveUnit,
  emptyMs,
  joinUnit,
  leaveUnit,
  moveMember,
  setStatus,
  type Unit,
  unitsErrors,
  unitsPermissions,
  type WorkChoice,
} from "./units.contract.ts";
import type { BaseKind } from "./units.machine.ts";
import { isPause, mayMove, setByHand } from "./units.policy.ts";
import * as repo from "./units.repo.ts";
import type { UnitRow } from "./units.repo.ts";
import type { ShownUnits } from "./units.shown.service.ts";
import * as statuses from "./units.statuses.repo.ts";
import { standingOf, textsOf, type UnitStore } from "./units.store.service.ts";

export interface UnitCrewDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly duty: Pick<DutyApi, "of" | "held">;
  readonly store: UnitStore;
  readonly shown: ShownUnits;
  readonly access: { requireJoin(tx: Tx, viewer: Viewer, unit: UnitRow): Promise<void> };
}

export interface WantedStatus {
  readonly base: BaseKind;
  readonly statusId?: number | null;
  readonly work?: WorkChoice;
  readonly reason?: string;
}

/** Who has it hands back calls of other units; of `calls`, which needs this feature. */
const dispatching = "calls.dispatch";

/** Who is in which unit, and the status that crews set. */
export class UnitCrew {
  readonly #deps: UnitCrewDeps;

  constructor(deps: UnitCrewDeps) {
    this.#deps = deps;
  }

  async join(call: CallContext, id: number, role: string | null): Promise<Unit> {
    const { db, store, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(joinUnit.id, async (tx) => {
      await this.#lockBoth(tx, viewer.characterId, viewer.job);
      const rules = await store.lock(tx, viewer.job);
      const unit = await shown.own(tx, viewer, id);
      if (!rules.selfJoin && !mayMove(viewer, { id: viewer.characterId, grade: viewer.grade }))
        throw new AppError(unitsErrors.leadersOnly);
      if ((await this.#heldJob(tx, viewer.characterId)) !== unit.job) throw new AppError(unitsErrors.notOnDuty);
      const person = { id: viewer.characterId, name: viewer.characterName };
      await this.#deps.access.requireJoin(tx, viewer, unit);
      const entered = await this.enter(tx, unit, person, role, viewer);
      if (entered) await this.#record(tx, call.actor, joinUnit.id, unit, person.name, role);
      return await shown.one(tx, viewer, id);
    });
  }

  async leave(call: CallContext): Promise<void> {
    const { db, store } = this.#deps;
    const viewer = call.viewer();
    await db.write(leaveUnit.id, async (tx) => {
      const { characterId, characterName, grade } = viewer;
      const found = await this.#unitOf(tx, characterId);
      if (found === null) throw new AppError(unitsErrors.noUnit);
      // Of the unit's job, which may be another one than that of now.
      const rules = await store.lock(tx, found.job);
      const unit = await this.#unitOf(tx, characterId);
      if (unit === null || unit.job !== found.job) throw new AppError(unitsErrors.noUnit);
      if (!rules.selfJoin && !mayMove(viewer, { id: characterId, grade })) throw new AppError(unitsErrors.leadersOnly);
      await this.#take(tx, characterId, characterId, viewer.job);
      await this.#record(tx, call.actor, leaveUnit.id, unit, characterName);
    });
  }

  async move(call: CallContext, citizenId: number, { unitId, role = null }: { unitId: number | null; role?: string | null }) {
    const { db, shown } = this.#deps;
    const viewer = call.viewer();
    await db.write(moveMember.id, async (tx) => {
      const before = await this.#lockBoth(tx, citizenId, viewer.job);
      const person = await this.#colleague(tx, viewer, citizenId);
      const unit = unitId === null ? null : await shown.own(tx, viewer, unitId);
      if (unit !== null && (await this.#heldJob(tx, citizenId)) !== unit.job)
        throw new AppError(unitsErrors.personNotOnDuty, { params: { name: person.name } });
      // Of a unit of another job decides that job.
      if (unit === null && before !== null && before.job !== viewer.job)
        throw new AppError(unitsErrors.personNotOnDuty, { params: { name: person.name } });
      if (unit !== null && !(await this.enter(tx, unit, person, role, viewer))) return;
      if (unit === null && before === null) return;
      if (unit === null) await this.#take(tx, citizenId, viewer.characterId, viewer.job);
      await this.#record(tx, call.actor, moveMember.id, (unit ?? before)!, person.name, unit === null ? null : role);
    });
  }

  /** Checks the target before the person leaves the unit of now; false where the person is in it as wanted. */
  async enter(
    tx: Tx,
    unit: UnitRow,
    { id }: { readonly id: number },
    role: string | null,
    { characterId: by, job }: Pick<Viewer, "characterId" | "job">,
  ): Promise<boolean> {
    const { store } = this.#deps;
    if (role !== null && !textsOf(unit.roles).includes(role))
      throw new AppError(unitsErrors.roleUnknown, { params: { name: unit.name } });
    const crew = await repo.membersOf(tx, [unit.id]);
    const present = crew.find(({ citizen_id }) => citizen_id === id);
    if (present !== undefined) {
      if (present.role === role || role === null) return false;
      await repo.setRole(tx, id, role);
      await store.record(tx, unit.id, { what: "joined", why: "byHand", citizenId: id, by, role });
      await store.changed(tx, unit.job);
      return true;
    }
    if (crew.length >= unit.max_crew) throw new AppError(unitsErrors.full, { params: { name: unit.name, most: unit.max_crew } });
    const left = await store.take(tx, id, "otherUnit", by);
    await store.enter(tx, unit, { id, role, by });
    if (left !== null && left !== job) await store.changed(tx, left);
    await store.changed(tx, unit.job);
    return true;
  }

  async setStatus(call: CallContext, id: number, { base, statusId = null, work, reason = "" }: WantedStatus): Promise<Unit> {
    const { db, clock, store, shown } = this.#deps;
    const viewer = call.viewer();
    const why = reason.trim();
    if (work === "handBack" && why === "") throw invalid("body.reason", "must say why the work is handed back");
    return await db.write(setStatus.id, async (tx) => {
      // Calls are locked before the units that work them.
      const handBack = work === "handBack" && isPause(base) ? await store.work?.held(tx, id) : undefined;
      await store.lock(tx, viewer.job);
      const unit = await shown.own(tx, viewer, id);
      const crew = await repo.membersOf(tx, [id]);
      const isMember = crew.some(({ citizen_id }) => citizen_id === viewer.characterId);
      const { id: permission } = unitsPermissions.status;
      if (!isMember && !viewer.rights.has(permission))
        throw new AppError(unitsErrors.notMember, { params: { name: unit.name, permission } });
      if ((await this.#dutyJob(tx, viewer.characterId)) !== unit.job) throw new AppError(unitsErrors.notOnDuty);
      await this.#requireStatus(tx, unit.job, base, statusId);
      const standing = { ...standingOf(unit, crew.length), name: unit.name };
      const change = setByHand(standing, { base, id: statusId }, work !== undefined, clock.now());
      if (change !== null) {
        await store.apply(tx, unit, change, viewer.characterId);
        await this.#deps.audit.record(tx, call.actor, {
          action: setStatus.id,
          object: objectOf(unit),
          info: { job: unit.job },
          before: { status: unit.base },
          after: { status: base },
        });
        await store.changed(tx, unit.job);
      }
      // After the status, which the end of the work then leaves alone.
      const refused = standing.hasWork ? await handBack?.(call, why) : null;
      if (refused === "central") throw new AppError(unitsErrors.workCentral, { params: { name: unit.name } });
      if (refused === "kept") throw new AppError(unitsErrors.workKept, { params: { name: unit.name, permission: dispatching } });
      return await shown.one(tx, viewer, id);
    });
  }

  /** People whose duty ended leave units of jobs in which they are not on duty any more. */
  async dutyEnded(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    for (const id of citizenIds) {
      const first = await this.#unitOf(tx, id);
      if (first === null) continue;
      await this.#deps.store.lock(tx, first.job);
      const unit = await this.#unitOf(tx, id);
      if (unit === null || (await this.#dutyJob(tx, id)) === unit.job) continue;
      await this.#deps.store.take(tx, id, "dutyEnded", null);
      await this.#deps.store.changed(tx, unit.job);
    }
  }

  async purgeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    for (const id of citizenIds) {
      const found = await this.#unitOf(tx, id);
      if (found !== null) await this.#deps.store.lock(tx, found.job);
      const job = await this.#deps.store.take(tx, id, "dutyEnded", null);
      if (job !== null) await this.#deps.store.changed(tx, job);
    }
    await repo.purgeCitizens(tx, citizenIds);
  }

  /** A temporary unit that has been empty for long enough. */
  async dissolve(tx: Tx, id: number): Promise<void> {
    const { store, clock, audit } = this.#deps;
    const found = await repo.find(tx, id);
    if (found === null) return;
    await store.lock(tx, found.job);
    const unit = (await repo.find(tx, id))!;
    const isOver = unit.temporary === 1 && unit.empty_since !== null && clock.now() - unit.empty_since >= emptyMs;
    if (!isOver || unit.deleted_at !== null) return;
    const deleted = { deleted_marker: id, deleted_at: clock.now(), deleted_by: null, version: unit.version + 1 };
    await repo.update(tx, id, deleted);
    await store.record(tx, id, { what: "removed", why: "empty", by: null });
    const actor = { kind: "system", name: dissolveUnit.id } as const;
    await audit.record(tx, actor, { action: "units.dissolved", object: objectOf(unit), info: { job: unit.job } });
    await store.changed(tx, unit.job);
  }

  async #take(tx: Tx, citizenId: number, by: number, job: string): Promise<void> {
    const { store } = this.#deps;
    const left = await store.take(tx, citizenId, "byHand", by);
    await store.changed(tx, left ?? job);
  }

  async #unitOf(tx: Tx, citizenId: number): Promise<UnitRow | null> {
    const member = (await repo.memberships(tx, [citizenId])).get(citizenId);
    return member === undefined ? null : await repo.find(tx, member.unit_id);
  }

  /** Locks the units of a job, and those of the job whose unit the person is in. That unit. */
  async #lockBoth(tx: Tx, citizenId: number, job: string): Promise<UnitRow | null> {
    const found = await this.#unitOf(tx, citizenId);
    const jobs = new Set([job, found?.job ?? job]);
    for (const one of [...jobs].toSorted()) await this.#deps.store.lock(tx, one);
    const unit = await this.#unitOf(tx, citizenId);
    // Somebody moved the person in the meantime, to a job that is not locked.
    if (unit !== null && !jobs.has(unit.job)) throw new Overtaken();
    return unit;
  }

  /** The job that the person is on duty in, which does not end before this unit of work. */
  async #heldJob(tx: Tx, citizenId: number): Promise<string | null> {
    return (await this.#deps.duty.held(tx, [citizenId])).get(citizenId)?.job ?? null;
  }

  async #dutyJob(tx: Tx, citizenId: number): Promise<string | null> {
    return (await this.#deps.duty.of(tx, [citizenId])).get(citizenId)?.job ?? null;
  }

  /** Somebody of the viewer's job whom the viewer may put into units. */
  async #colleague(tx: Tx, viewer: Viewer, id: number): Promise<{ id: number; name: string }> {
    const held = (await charactersWithJobsById(tx, [id])).get(id)?.jobs.find(({ job }) => job === viewer.job);
    if (held === undefined) throw new AppError(unitsErrors.memberNotFound);
    const name = (await namesOfCitizens(tx, [id])).get(id) ?? "";
    if (mayMove(viewer, { id, grade: held.grade })) return { id, name };
    throw new AppError(unitsErrors.notAssigned, { params: { name, permission: unitsPermissions.assign.id } });
  }

  async #requireStatus(tx: Tx, job: string, base: BaseKind, id: number | null): Promise<void> {
    if (id === null) return;
    const row = (await statuses.statusesById(tx, [id])).get(id);
    if (row === undefined || row.job !== job || row.deleted_at !== null || row.base !== base)
      throw new AppError(unitsErrors.statusNotFound);
  }

  async #record(tx: Tx, actor: Actor, action: string, unit: UnitRow, member: string, role: string | null = null) {
    const info = { job: unit.job, member, ...(role === null ? {} : { role }) };
    await this.#deps.audit.record(tx, actor, { action, object: objectOf(unit), info });
  }
}

export const objectOf = ({ id, name }: Pick<UnitRow, "id" | "name">) => ({ kind: "units.unit", id, name }) as const;
