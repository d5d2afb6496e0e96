import type { Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { Overtaken } from "#core/db/errors.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { CallFacts, CallsApi, CallStandingOf } from "#features/calls/calls.api.ts";
import { callsPermissions } from "#features/calls/calls.contract.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { UnitFacts, UnitsApi } from "#features/units/units.api.ts";
import {
  answerOffer,
  type Assignment,
  assignmentsErrors,
  finishWork,
  handBack,
  setProgress,
  type WorkingState,
  withdrawOffer,
} from "./assignments.contract.ts";
import type { AssignmentCommand, AssignmentState } from "./assignments.machine.ts";
import { isWorkingState, progressEvents, requireFits } from "./assignments.policy.ts";
import * as repo from "./assignments.repo.ts";
import { rulesOfRow } from "./assignments.shown.service.ts";
import type { WorkStore } from "./assignments.store.service.ts";

export interface WorkDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly calls: Pick<CallsApi, "openFor" | "complete">;
  readonly duty: Pick<DutyApi, "held">;
  readonly units: Pick<UnitsApi, "held">;
  readonly store: WorkStore;
}

interface Opened {
  readonly row: repo.AssignmentRow;
  readonly unit: UnitFacts;
  readonly call: CallFacts & CallStandingOf;
  readonly viewer: Viewer;
}

interface Change {
  readonly action: string;
  readonly id: number;
  /** That the person saw. */
  readonly version: number;
  readonly command: AssignmentCommand;
  /** Who may: members of the unit, dispatchers of the call, or both. */
  readonly who: "member" | "dispatcher" | "both";
}

/** What people do to a unit on a call. */
export class WorkService {
  readonly #deps: WorkDeps;

  constructor(deps: WorkDeps) {
    this.#deps = deps;
  }

  async answer(call: CallContext, id: number, body: { readonly version: number; readonly accept: boolean }): Promise<Assignment> {
    const command = body.accept ? ("accept" as const) : ("decline" as const);
    const change = { action: answerOffer.id, id, version: body.version, command, who: "member" as const };
    return await this.#change(call, change, async (tx, { row, unit, viewer }) => {
      const accepted = body.accept ? { acceptedBy: viewer.characterId } : {};
      const state = body.accept ? ("accepted" as const) : ("declined" as const);
      await this.#deps.store.move(tx, call.actor, row, unit, { state, action: answerOffer.id, entries: [state], ...accepted });
    });
  }

  async withdraw(call: CallContext, id: number, { version }: { readonly version: number }): Promise<Assignment> {
    const change = { action: withdrawOffer.id, id, version, command: "withdraw" as const, who: "dispatcher" as const };
    return await this.#change(call, change, async (tx, { row, unit }) => {
      const moved = { state: "withdrawn", action: withdrawOffer.id, entries: ["withdrawn"] } as const;
      await this.#deps.store.move(tx, call.actor, row, unit, moved);
    });
  }

  async progress(
    call: CallContext,
    id: number,
    body: { readonly version: number; readonly state: WorkingState; readonly needsHelp?: boolean },
  ): Promise<Assignment> {
    const command = progressEvents[body.state];
    const change = { action: setProgress.id, id, version: body.version, command, who: "both" as const };
    return await this.#change(call, change, async (tx, { row, unit }) => {
      const before = row.needs_help === 1;
      const needsHelp = body.needsHelp ?? before;
      if (row.state === body.state && needsHelp === before) return;
      const entries = [
        ...(row.state === body.state ? [] : [body.state]),
        ...(needsHelp === before ? [] : [needsHelp ? ("needsHelp" as const) : ("helped" as const)]),
      ];
      const moved = { state: body.state, action: setProgress.id, entries, needsHelp };
      await this.#deps.store.move(tx, call.actor, row, unit, moved);
    });
  }

  async finish(call: CallContext, id: number, { version }: { readonly version: number }): Promise<Assignment> {
    const change = { action: finishWork.id, id, version, command: "finish" as const, who: "both" as const };
    return await this.#change(call, change, async (tx, { row, unit, call: on }) => {
      const moved = { state: "done", action: finishWork.id, entries: ["done"] } as const;
      await this.#deps.store.move(tx, call.actor, row, unit, moved);
      // A job that only helps does not end the call of those that dispatch it.
      const jobs = on.jobs.filter(({ level }) => level === "dispatch").map(({ job }) => job);
      const rules = await repo.rulesOf(tx, jobs);
      const completes = jobs.every((job) => rulesOfRow(rules.get(job)).completes);
      const isWorked = (await repo.openOf(tx, on.id)).some(({ state }) => isWorkingState(state));
      // Where no unit of the job that took it over has been there, the call waits for one.
      const handedOver = on.leaving.find(({ job }) => job === unit.job);
      const waits = handedOver !== undefined && !(await repo.hasFinished(tx, on.id, handedOver.to, handedOver.since));
      if (completes && !isWorked && !waits) await this.#deps.calls.complete(tx, call.actor, on.id);
    });
  }

  async handBack(
    call: CallContext,
    id: number,
    body: { readonly version: number; readonly reason: string },
  ): Promise<Assignment> {
    const reason = body.reason.trim();
    if (reason === "")
      throw new AppError(guardErrors.invalidInput, { params: { field: "body.reason", problem: "must say why" } });
    const change = { action: handBack.id, id, version: body.version, command: "handBack" as const, who: "both" as const };
    return await this.#change(call, change, async (tx, { row, unit, call: on }) => {
      const { mode } = rulesOfRow((await repo.rulesOf(tx, [unit.job])).get(unit.job));
      if (mode === "central" && !on.roles.includes("dispatcher")) throw new AppError(assignmentsErrors.central);
      await this.#deps.store.move(tx, call.actor, row, unit, { state: "left", action: handBack.id, entries: ["left"], reason });
    });
  }

  /** As it is afterwards. The row of its call is locked first, then the units of the job, then the duty of the person. */
  async #change(call: CallContext, change: Change, work: (tx: Tx, opened: Opened) => Promise<void>): Promise<Assignment> {
    const { db, calls, units } = this.#deps;
    const viewer = call.viewer();
    return await db.write(change.action, async (tx) => {
      const callId = await repo.callOf(tx, change.id);
      if (callId === null) throw new AppError(assignmentsErrors.notFound);
      // Another call took it over before the row of this one was locked, which may have ended by that.
      const requireThere = (found: repo.AssignmentRow | null) => {
        if (found !== null && found.call_id !== callId) throw new Overtaken();
      };
      const on = await calls.openFor(tx, viewer, callId).catch(async (error: unknown) => {
        requireThere(await repo.find(tx, change.id));
        throw error;
      });
      const row = await repo.find(tx, change.id);
      if (row === null || on.level === null) throw new AppError(assignmentsErrors.notFound);
      requireThere(row);
      const unit = (await units.held(tx, [row.unit_id])).get(row.unit_id);
      if (unit === undefined) throw new AppError(assignmentsErrors.notFound);
      await this.#requireWho(tx, viewer, { unit, on, who: change.who });
      if (row.version !== change.version)
        throw new AppError(assignmentsErrors.stale, { extra: { current: await this.#shown(tx, row, unit) } });
      requireFits(row, change.command, { unit: unit.name, id: on.ref }, this.#deps.clock.now());
      await work(tx, { row, unit, call: on, viewer });
      await this.#deps.store.settled(tx, callId, [unit.job]);
      return await this.#shown(tx, (await repo.find(tx, row.id))!, unit);
    });
  }

  async #requireWho(
    tx: Tx,
    viewer: Viewer,
    { unit, on, who }: { readonly unit: UnitFacts; readonly on: CallStandingOf; readonly who: Change["who"] },
  ): Promise<void> {
    if (who !== "member" && on.roles.includes("dispatcher")) return;
    if (who === "dispatcher")
      throw new AppError(assignmentsErrors.notDispatcher, { params: { permission: callsPermissions.dispatch.id } });
    if (!unit.crew.includes(viewer.characterId) || on.level === "view")
      throw new AppError(assignmentsErrors.notMember, { params: { unit: unit.name } });
    const present = (await this.#deps.duty.held(tx, [viewer.characterId])).get(viewer.characterId);
    if (present?.job !== unit.job) throw new AppError(assignmentsErrors.notOnDuty);
  }

  async #shown(tx: Tx, row: repo.AssignmentRow, { id, name }: UnitFacts): Promise<Assignment> {
    const { accepted_at: at, accepted_by: by } = row;
    const names = await namesOfCitizens(tx, by === null ? [] : [by]);
    return {
      id: row.id,
      version: row.version,
      callId: row.call_id,
      unit: { id, name },
      state: row.state as AssignmentState,
      needsHelp: row.needs_help === 1,
      until: row.until,
      accepted: at === null ? null : { by: (by === null ? undefined : names.get(by)) ?? null, at },
    };
  }
}
