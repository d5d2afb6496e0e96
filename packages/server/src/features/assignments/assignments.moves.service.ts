import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { CallFacts } from "#features/calls/calls.api.ts";
import { callsErrors, mergeCalls, undoMerge } from "#features/calls/calls.contract.ts";
import type { UnitsApi } from "#features/units/units.api.ts";
import { mostUnits } from "./assignments.contract.ts";
import { furtherOf, isWorkingState } from "./assignments.policy.ts";
import * as repo from "./assignments.repo.ts";
import type { WorkStore } from "./assignments.store.service.ts";

export interface MovesDeps {
  readonly clock: Clock;
  readonly units: Pick<UnitsApi, "held" | "names">;
  readonly store: WorkStore;
}

/** It is open, in the state that it had then. */
const isSame = (row: repo.AssignmentRow, state: string, at: number) =>
  row.ended_marker === 0 && row.state === state && row.state_at <= at;

type Ref = Pick<CallFacts, "id" | "ref">;

/** How units come from one call to another one, with their state and the deadline of an offer; both calls are locked. */
export class WorkMoves {
  readonly #deps: MovesDeps;

  constructor(deps: MovesDeps) {
    this.#deps = deps;
  }

  /** All of a call that becomes a part of another one. A unit on both keeps the further progress. */
  async merged(tx: Tx, actor: Actor, from: Ref, into: Ref): Promise<void> {
    const { units } = this.#deps;
    const [goes, there] = [await repo.openOf(tx, from.id), await repo.openOf(tx, into.id)];
    const all = [...goes, ...there];
    if (new Set(all.map(({ unit_id: unit }) => unit)).size > mostUnits)
      throw new AppError(callsErrors.unitsFull, { params: { id: into.ref, most: mostUnits } });
    await units.held(
      tx,
      all.map(({ unit_id: unit }) => unit),
    );
    for (const row of goes) {
      const same = there.find(({ unit_id: unit }) => unit === row.unit_id);
      if (same === undefined) await this.#bring(tx, from.id, row, into.id);
      else await this.#choose(tx, actor, from.id, into.id, { there: same, goes: row });
    }
    await this.#changed(tx, all);
  }

  /** Those whose state has not changed since return. False where one that accepted the call, or was given it, stays. */
  async unmerged(tx: Tx, actor: Actor, fromId: number, intoId: number): Promise<boolean> {
    const { units } = this.#deps;
    // A unit is once on a call: what came along returns before the one in whose place it went on is there again.
    const moves = (await repo.takeMoves(tx, fromId)).toSorted((a, b) => Number(a.kept_id !== null) - Number(b.kept_id !== null));
    const open = await repo.openOf(tx, intoId);
    await units.held(
      tx,
      open.map(({ unit_id: unit }) => unit),
    );
    let areBack = true;
    const touched: repo.AssignmentRow[] = [];
    for (const move of moves) {
      const row = await repo.find(tx, move.assignment_id);
      if (row === null) continue;
      touched.push(row);
      if (move.kept_id !== null) await this.#revive(tx, actor, row, { move, kept: open.find(({ id }) => id === move.kept_id) });
      else if (row.call_id === intoId && isSame(row, move.state, move.at)) await repo.update(tx, row.id, { call_id: fromId });
      // An offer that ended did nothing in the call, and one that is open counts from its answer on.
      else if (row.accepted_at !== null) areBack = false;
    }
    await this.#changed(tx, [...open, ...touched]);
    return areBack;
  }

  /** The jobs whose units are asked for a call or work it. */
  async jobsAt(tx: Tx, callId: number): Promise<string[]> {
    return [...new Set((await repo.openOf(tx, callId)).map(({ job }) => job))];
  }

  /** These units go on in another call. False where one of them is not on the first one. */
  async split(tx: Tx, fromId: number, intoId: number, unitIds: readonly number[]): Promise<boolean> {
    if (unitIds.length === 0) return true;
    const rows = (await repo.openOf(tx, fromId)).filter(({ unit_id: unit }) => unitIds.includes(unit));
    if (rows.length < unitIds.length) return false;
    for (const { id } of rows) await repo.update(tx, id, { call_id: intoId });
    await this.#changed(tx, rows);
    return true;
  }

  /** The version stays, so that an answer to an offer that somebody gives at this moment still counts. */
  async #bring(tx: Tx, mergedId: number, { id, state, needs_help }: repo.AssignmentRow, callId: number): Promise<void> {
    await repo.update(tx, id, { call_id: callId });
    const kept = { kept_id: null, kept_state: null, kept_helped: 0 } as const;
    await this.#note(tx, { merged_id: mergedId, assignment_id: id, state, needs_help, ...kept });
  }

  async #choose(
    tx: Tx,
    actor: Actor,
    mergedId: number,
    intoId: number,
    { there, goes }: { readonly there: repo.AssignmentRow; readonly goes: repo.AssignmentRow },
  ): Promise<void> {
    const { units, store } = this.#deps;
    const [kept, ended] = furtherOf(there, goes);
    const name = (await units.names(tx, [ended.unit_id])).get(ended.unit_id) ?? "–";
    const unit = { id: ended.unit_id, name, job: ended.job };
    await store.move(tx, actor, ended, unit, { state: "withdrawn", action: mergeCalls.id, entries: [] });
    // Its unit needs help, whichever call it said so in.
    const helped = ended.needs_help === 1 && kept.needs_help === 0 && isWorkingState(kept.state);
    if (helped) await repo.update(tx, kept.id, { needs_help: 1, version: kept.version + 1 });
    if (kept === goes) await this.#bring(tx, mergedId, kept, intoId);
    const { id, state, needs_help } = ended;
    const of = { kept_id: kept.id, kept_state: kept.state, kept_helped: helped ? 1 : 0 } as const;
    await this.#note(tx, { merged_id: mergedId, assignment_id: id, state, needs_help, ...of });
  }

  /** A unit that was on both calls is on both again, and needs help where it said so, unless it has got it since. */
  async #revive(
    tx: Tx,
    actor: Actor,
    row: repo.AssignmentRow,
    { move, kept }: { readonly move: repo.MoveRow; readonly kept: repo.AssignmentRow | undefined },
  ): Promise<void> {
    const { units, store } = this.#deps;
    const { state, at, needs_help, kept_state, kept_helped } = move;
    const isBack = kept !== undefined && kept_state !== null && isSame(kept, kept_state, at);
    if (!isBack || row.state !== "withdrawn" || !isWorkingState(state)) return;
    const name = (await units.names(tx, [row.unit_id])).get(row.unit_id) ?? "–";
    const unit = { id: row.unit_id, name, job: row.job };
    const needsHelp = needs_help === 1 && kept.needs_help === 1;
    await store.revive(tx, actor, row, unit, { state, needsHelp, action: undoMerge.id });
    if (needsHelp && kept_helped === 1) await repo.update(tx, kept.id, { needs_help: 0, version: kept.version + 1 });
  }

  async #note(tx: Tx, move: Omit<repo.MoveRow, "at">): Promise<void> {
    await repo.insertMove(tx, { ...move, at: this.#deps.clock.now() });
  }

  async #changed(tx: Tx, rows: readonly repo.AssignmentRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#deps.store.changed(
      tx,
      rows.map(({ job }) => job),
    );
  }
}
