import type { Actor } from "#core/actor.ts";
import type { Clock, Outbox, Tasks, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { CallFacts, CallsApi } from "#features/calls/calls.api.ts";
import type { UnitFacts, UnitsApi } from "#features/units/units.api.ts";
import { assignmentsChanged, expireOffer } from "./assignments.contract.ts";
import type { AssignmentState, WorkingState } from "./assignments.machine.ts";
import { isWorkingState, offerWindow } from "./assignments.policy.ts";
import * as repo from "./assignments.repo.ts";

export interface WorkStoreDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly tasks: Pick<Tasks, "enqueue" | "cancel">;
  readonly audit: AuditApi;
  readonly calls: Pick<CallsApi, "happened" | "touched">;
  readonly units: Pick<UnitsApi, "setWork">;
}

type Entry = Parameters<CallsApi["happened"]>[3];

/** How an assignment changes, and what its call and the audit log say of it. */
interface Moved {
  readonly state: AssignmentState;
  readonly action: string;
  readonly entries: readonly Entry["kind"][];
  readonly needsHelp?: boolean;
  readonly acceptedBy?: number;
  readonly reason?: string;
}

export const offerKey = (id: number) => `offer/${id}`;

/** Writes assignments with what every change of one has; `settled` follows. Each needs the lock of the call, and then of the unit. */
export class WorkStore {
  readonly #deps: WorkStoreDeps;

  constructor(deps: WorkStoreDeps) {
    this.#deps = deps;
  }

  /** An offer, or work that somebody accepted or was given. */
  async add(
    tx: Tx,
    actor: Actor,
    { id, priority }: Pick<CallFacts, "id" | "priority">,
    unit: UnitFacts,
    how: { readonly entry: "offered" | "assigned" | "taken"; readonly action: string; readonly by: number | null },
  ): Promise<number> {
    const { clock } = this.#deps;
    const now = clock.now();
    const isOffer = how.entry === "offered";
    const state = isOffer ? "offered" : "accepted";
    const until = isOffer ? now + offerWindow(priority) : null;
    const taken = isOffer ? { accepted_at: null, accepted_by: null } : { accepted_at: now, accepted_by: how.by };
    const added = await repo.insert(tx, {
      ...{ version: 1, call_id: id, unit_id: unit.id, job: unit.job, state, ended_marker: 0, needs_help: 0 },
      ...{ until, created_at: now, created_by: how.by, ...taken, state_at: now, ended_at: null, reason: null },
    });
    if (until !== null) await this.planEnd(tx, added, until);
    await this.#settle(tx, unit.id, !isOffer);
    const entries = [{ kind: how.entry, text: unit.name }];
    await this.#follow(tx, actor, { id: added, callId: id, unit }, how.action, entries, { after: { state } });
    return added;
  }

  /** Changes an open one. */
  async move(tx: Tx, actor: Actor, row: repo.AssignmentRow, unit: Pick<UnitFacts, "id" | "name" | "job">, moved: Moved) {
    const { clock, tasks } = this.#deps;
    const now = clock.now();
    const { state, needsHelp = false, acceptedBy, reason = null } = moved;
    const isOver = !isWorkingState(state);
    const accepted = acceptedBy === undefined ? {} : { accepted_at: now, accepted_by: acceptedBy };
    await repo.update(tx, row.id, {
      state,
      version: row.version + 1,
      until: null,
      needs_help: needsHelp && !isOver ? 1 : 0,
      ...(state === row.state ? {} : { state_at: now }),
      ...accepted,
      ...(isOver ? { ended_at: now, ended_marker: row.id, reason } : {}),
    });
    if (row.state === "offered") await tasks.cancel(tx, expireOffer, offerKey(row.id));
    await this.#settle(tx, row.unit_id, isWorkingState(state) && state !== row.state);
    const text = reason === null ? unit.name : `${unit.name}: ${reason}`;
    const asked = needsHelp && !isOver;
    const help = (asked ? 1 : 0) === row.needs_help ? [{}, {}] : [{ needsHelp: row.needs_help === 1 }, { needsHelp: asked }];
    const change = { before: { state: row.state, ...help[0] }, after: { state, ...help[1] } };
    const entries = moved.entries.map((kind) => ({ kind, text }));
    await this.#follow(tx, actor, { id: row.id, callId: row.call_id, unit }, moved.action, entries, change);
  }

  /** Opens one again that a merge ended; its state is a working one. */
  async revive(
    tx: Tx,
    actor: Actor,
    row: repo.AssignmentRow,
    unit: Pick<UnitFacts, "id" | "name" | "job">,
    { state, needsHelp, action }: { readonly state: WorkingState; readonly needsHelp: boolean; readonly action: string },
  ): Promise<void> {
    const back = { state, ended_marker: 0, ended_at: null, reason: null, needs_help: needsHelp ? 1 : 0 } as const;
    await repo.update(tx, row.id, { ...back, version: row.version + 1, state_at: this.#deps.clock.now() });
    await this.#settle(tx, row.unit_id, false);
    const change = { before: { state: row.state }, after: { state, ...(needsHelp ? { needsHelp } : {}) } };
    await this.#follow(tx, actor, { id: row.id, callId: row.call_id, unit }, action, [], change);
  }

  async planEnd(tx: Tx, id: number, at: number): Promise<void> {
    await this.#deps.tasks.enqueue(tx, expireOffer, { payload: { id, at }, key: offerKey(id), dueAt: at });
  }

  /** Once after all changes of a call in a unit of work. */
  async settled(tx: Tx, callId: number, jobs: readonly string[]): Promise<void> {
    await this.#deps.calls.touched(tx, callId);
    await this.changed(tx, jobs);
  }

  /** Pages of these jobs read their work again. */
  async changed(tx: Tx, jobs: readonly string[]): Promise<void> {
    const { outbox, clock } = this.#deps;
    const payload = { jobs: [...new Set(jobs)] };
    await outbox.emit(tx, assignmentsChanged, { key: "assignments", version: clock.now(), payload });
  }

  /** The unit is busy as long as it works a call. `goesOn`: it has just come further with one. */
  async #settle(tx: Tx, unitId: number, goesOn: boolean): Promise<void> {
    const works = (await repo.callsOfUnit(tx, unitId)).some(({ state }) => isWorkingState(state));
    await this.#deps.units.setWork(tx, unitId, works, goesOn);
  }

  async #follow(
    tx: Tx,
    actor: Actor,
    { id, callId, unit }: { readonly id: number; readonly callId: number; readonly unit: Pick<UnitFacts, "name" | "job"> },
    action: string,
    entries: readonly Entry[],
    change: { readonly before?: Record<string, unknown>; readonly after: Record<string, unknown> },
  ): Promise<void> {
    const object = { kind: "assignments.assignment", id, name: unit.name };
    for (const entry of entries) await this.#deps.calls.happened(tx, actor, callId, entry);
    await this.#deps.audit.record(tx, actor, { action, object, info: { job: unit.job, call: callId }, ...change });
  }
}
