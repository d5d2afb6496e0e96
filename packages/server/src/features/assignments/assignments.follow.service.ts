import type { Actor } from "#core/actor.ts";
import { Overtaken } from "#core/db/errors.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { CallsApi } from "#features/calls/calls.api.ts";
import type { UnitFacts, UnitsApi } from "#features/units/units.api.ts";
import { expireOffer, finishWork, graceMs, missedMs, withdrawOffer } from "./assignments.contract.ts";
import { isWorkingState } from "./assignments.policy.ts";
import * as repo from "./assignments.repo.ts";
import type { WorkStore } from "./assignments.store.service.ts";

export interface FollowDeps {
  readonly clock: Clock;
  readonly calls: Pick<CallsApi, "open">;
  readonly units: Pick<UnitsApi, "held" | "names">;
  readonly store: WorkStore;
}

const lostAction = "assignments.lost";
const lost: Actor = { kind: "system", name: lostAction };

/** What time, the end of a call and an empty unit do to assignments. */
export class WorkFollow {
  readonly #deps: FollowDeps;

  constructor(deps: FollowDeps) {
    this.#deps = deps;
  }

  /** A unit works it now. */
  async isWorked(tx: Tx, callId: number): Promise<boolean> {
    return (await repo.openOf(tx, callId)).some(({ state }) => isWorkingState(state));
  }

  /** Somebody changed the call: who is in its units may not see it by the job, and reads it again. */
  async changed(tx: Tx, callId: number): Promise<void> {
    const rows = await repo.openOf(tx, callId);
    if (rows.length > 0)
      await this.#deps.store.changed(
        tx,
        rows.map(({ job }) => job),
      );
  }

  /** The call has ended, whose row is locked: what is worked is done, or withdrawn with a cancelled call. */
  async ended(tx: Tx, actor: Actor, callId: number, how: "completed" | "cancelled"): Promise<void> {
    const { store } = this.#deps;
    const rows = await repo.openOf(tx, callId);
    const unitOf = await this.#units(tx, rows);
    for (const row of rows) {
      const isDone = how === "completed" && isWorkingState(row.state);
      const moved = isDone
        ? ({ state: "done", action: finishWork.id, entries: ["done"] } as const)
        : ({ state: "withdrawn", action: withdrawOffer.id, entries: ["withdrawn"] } as const);
      await store.move(tx, actor, row, unitOf(row), moved);
    }
    // The end of the call touches it.
    if (rows.length > 0)
      await store.changed(
        tx,
        rows.map(({ job }) => job),
      );
  }

  /** Nobody answered. An offer whose end was missed, because the server was down, is open for a moment more. */
  async expire(tx: Tx, { id, at }: { readonly id: number; readonly at: number }): Promise<void> {
    const { calls, clock, store } = this.#deps;
    const callId = await repo.callOf(tx, id);
    if (callId === null) return;
    const open = await calls.open(tx, callId);
    const row = await repo.find(tx, id);
    // Another call took it over before the row of this one was locked.
    if (row !== null && row.call_id !== callId) throw new Overtaken();
    if (open === null || row === null || row.state !== "offered" || row.until !== at) return;
    const now = clock.now();
    if (now - at > missedMs) {
      const until = now + graceMs;
      await repo.update(tx, id, { until, version: row.version + 1 });
      await store.planEnd(tx, id, until);
      await store.changed(tx, [row.job]);
      return;
    }
    const unit = (await this.#units(tx, [row]))(row);
    const actor: Actor = { kind: "system", name: expireOffer.id };
    await store.move(tx, actor, row, unit, { state: "expired", action: expireOffer.id, entries: ["expired"] });
    await store.settled(tx, callId, [row.job]);
  }

  /** Nobody is left in a unit: what it works waits for another one. */
  async emptied(tx: Tx, unitId: number): Promise<void> {
    const { calls, store, units } = this.#deps;
    const found = await repo.callsOfUnit(tx, unitId);
    const ids = [...new Set(found.map(({ call_id: id }) => id))].toSorted((a, b) => a - b);
    const open = new Set<number>();
    for (const id of ids) if ((await calls.open(tx, id)) !== null) open.add(id);
    // Somebody has joined it again.
    if (((await units.held(tx, [unitId])).get(unitId)?.crew.length ?? 0) > 0) return;
    const unitOf = await this.#units(tx, found);
    for (const { id } of found) {
      const row = await repo.find(tx, id);
      if (row === null || row.ended_marker !== 0) continue;
      if (!ids.includes(row.call_id)) throw new Overtaken();
      if (!open.has(row.call_id)) continue;
      const state = isWorkingState(row.state) ? ("left" as const) : ("withdrawn" as const);
      const entry = state === "left" ? ("lost" as const) : state;
      await store.move(tx, lost, row, unitOf(row), { state, action: lostAction, entries: [entry] });
      await store.settled(tx, row.call_id, [row.job]);
    }
  }

  async purgeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    await repo.forgetCitizens(tx, citizenIds);
  }

  /** The unit of each, with the turn of its job; one that was removed in the meantime keeps its name. */
  async #units(tx: Tx, rows: readonly repo.AssignmentRow[]) {
    const { units } = this.#deps;
    const ids = [...new Set(rows.map(({ unit_id }) => unit_id))];
    const held = await units.held(tx, ids);
    const names = await units.names(
      tx,
      ids.filter((id) => !held.has(id)),
    );
    return ({ unit_id: id, job }: repo.AssignmentRow): Pick<UnitFacts, "id" | "name" | "job"> =>
      held.get(id) ?? { id, job, name: names.get(id) ?? "–" };
  }
}
