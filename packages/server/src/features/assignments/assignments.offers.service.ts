import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import type { CallFacts, CallsApi } from "#features/calls/calls.api.ts";
import { type Call, callsPermissions } from "#features/calls/calls.contract.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import type { UnitFacts, UnitsApi } from "#features/units/units.api.ts";
import {
  assignmentsErrors,
  mostOften,
  mostUnits,
  offerUnits,
  takeCall,
  unitAssigned,
  unitOffered,
} from "./assignments.contract.ts";
import { offerWindow, takesAlone } from "./assignments.policy.ts";
import * as repo from "./assignments.repo.ts";
import { rulesOfRow } from "./assignments.shown.service.ts";
import type { WorkStore } from "./assignments.store.service.ts";

export interface OffersDeps {
  readonly db: Database;
  readonly calls: Pick<CallsApi, "openFor" | "shown">;
  readonly duty: Pick<DutyApi, "of" | "held">;
  readonly notifications: Pick<NotificationsApi, "notify">;
  readonly units: Pick<UnitsApi, "of" | "byIds" | "held">;
  readonly store: WorkStore;
}

/** How units come to a call: asked or assigned by a dispatcher, or by their own members. */
export class Offers {
  readonly #deps: OffersDeps;

  constructor(deps: OffersDeps) {
    this.#deps = deps;
  }

  async offer(
    call: CallContext,
    id: number,
    { unitIds, assign = false }: { readonly unitIds: readonly number[]; readonly assign?: boolean },
  ): Promise<Call> {
    const { db, calls } = this.#deps;
    const viewer = call.viewer();
    return await db.write(offerUnits.id, async (tx) => {
      const on = await calls.openFor(tx, viewer, id);
      if (!on.roles.includes("dispatcher"))
        throw new AppError(assignmentsErrors.notDispatcher, { params: { permission: callsPermissions.dispatch.id } });
      const asked = await this.#asked(tx, on, unitIds);
      await this.#requireRoom(tx, on, asked);
      const there = await this.#present(tx, asked);
      const entry = assign ? ("assigned" as const) : ("offered" as const);
      for (const unit of asked) {
        await this.#deps.store.add(tx, call.actor, on, unit, { entry, action: offerUnits.id, by: viewer.characterId });
        await this.#tell(tx, on, unit, there.get(unit.id) ?? [], assign);
      }
      await this.#deps.store.settled(
        tx,
        id,
        asked.map(({ job }) => job),
      );
      return (await calls.shown(tx, viewer, [id]))[0]!;
    });
  }

  async take(call: CallContext, id: number): Promise<Call> {
    const { db, calls } = this.#deps;
    const viewer = call.viewer();
    return await db.write(takeCall.id, async (tx) => {
      const on = await calls.openFor(tx, viewer, id);
      const unit = await this.#ownUnit(tx, viewer);
      const { mode } = rulesOfRow((await repo.rulesOf(tx, [unit.job])).get(unit.job));
      const { view } = callsPermissions;
      if (on.level === null && !viewer.rights.has(view.id))
        throw new AppError(assignmentsErrors.callsHidden, { params: { permission: view.id } });
      if (!takesAlone(mode) && on.kind !== "panic") throw new AppError(assignmentsErrors.central);
      if (on.level === null || on.level === "view" || !works(on, unit))
        throw new AppError(assignmentsErrors.otherJob, { params: { unit: unit.name, id: on.ref } });
      await this.#requireRoom(tx, on, [unit]);
      await this.#deps.store.add(tx, call.actor, on, unit, { entry: "taken", action: takeCall.id, by: viewer.characterId });
      await this.#deps.store.settled(tx, id, [unit.job]);
      return (await calls.shown(tx, viewer, [id]))[0]!;
    });
  }

  /** Of the call's jobs alone: what units others have, the answer does not say. */
  async #asked(tx: Tx, on: CallFacts, unitIds: readonly number[]): Promise<UnitFacts[]> {
    const { units } = this.#deps;
    const pick = (found: ReadonlyMap<number, UnitFacts>) =>
      unitIds.map((id) => {
        const unit = found.get(id);
        if (unit === undefined || !works(on, unit)) throw new AppError(assignmentsErrors.unitNotFound);
        return unit;
      });
    pick(await units.byIds(tx, unitIds));
    return pick(await units.held(tx, unitIds));
  }

  /** The unit of somebody on duty, which nobody leaves or joins before this unit of work ends. */
  async #ownUnit(tx: Tx, { characterId }: Viewer): Promise<UnitFacts> {
    const { units, duty } = this.#deps;
    const found = (await units.of(tx, [characterId])).get(characterId);
    const unit = found === undefined ? undefined : (await units.held(tx, [found.id])).get(found.id);
    if (unit === undefined || !unit.crew.includes(characterId)) throw new AppError(assignmentsErrors.noUnit);
    const present = (await duty.held(tx, [characterId])).get(characterId);
    if (present?.job !== unit.job) throw new AppError(assignmentsErrors.notOnDuty);
    return unit;
  }

  async #requireRoom(tx: Tx, { id, ref, waitingSince }: CallFacts, asked: readonly UnitFacts[]): Promise<void> {
    const open = await repo.openOf(tx, id);
    for (const { id: unitId, name: unit } of asked) {
      if (open.some(({ unit_id }) => unit_id === unitId))
        throw new AppError(assignmentsErrors.already, { params: { unit, id: ref } });
    }
    if (open.length + asked.length > mostUnits)
      throw new AppError(assignmentsErrors.full, { params: { id: ref, most: mostUnits } });
    if ((await repo.countSince(tx, id, waitingSince)) + asked.length > mostOften)
      throw new AppError(assignmentsErrors.tooOften, { params: { id: ref, most: mostOften } });
  }

  /** Who of each crew is there; throws for a unit without anybody, who could not answer. */
  async #present(tx: Tx, units: readonly UnitFacts[]): Promise<Map<number, number[]>> {
    const present = await this.#deps.duty.of(
      tx,
      units.flatMap(({ crew }) => crew),
    );
    return new Map(
      units.map(({ id, name: unit, crew }) => {
        const there = crew.filter((one) => present.get(one)?.state === "on");
        if (crew.length === 0) throw new AppError(assignmentsErrors.unitEmpty, { params: { unit } });
        if (there.length === 0) throw new AppError(assignmentsErrors.unitMissing, { params: { unit } });
        return [id, there];
      }),
    );
  }

  async #tell(
    tx: Tx,
    { id, ref, priority }: CallFacts,
    { id: unitId, name: unit }: UnitFacts,
    there: readonly number[],
    isAssigned: boolean,
  ): Promise<void> {
    const { notifications } = this.#deps;
    const recipients = await accountsPlaying(tx, there);
    if (recipients.length === 0) return;
    const to = { recipients, link: `/calls/${id}`, key: `call/${id}/unit/${unitId}` };
    if (isAssigned) await notifications.notify(tx, unitAssigned, { ...to, params: { unit, id: ref } });
    else {
      const seconds = offerWindow(priority) / 1000;
      await notifications.notify(tx, unitOffered, { ...to, params: { unit, id: ref, seconds } });
    }
  }
}

/** The job of the unit works the call, and does not only see it. */
const works = ({ jobs }: CallFacts, { job }: UnitFacts): boolean => jobs.some((one) => one.job === job && one.level !== "view");
