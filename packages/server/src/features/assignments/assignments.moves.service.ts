import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { CallFacts } from "#features/calls/calls.api.ts";
import { callsErrors, mergeCalls } from "#features/calls/calls.contract.ts";
import type { UnitsApi } from "#features/units/units.api.ts";
import { mostUnits } from "./assignments.contract.ts";
import { furtherOf, isWorkingState } from "./assignments.policy.ts";
import * as repo from "./assignments.repo.ts";
import type { WorkStore } from "./assignments.store.service.ts";

export interface MovesDeps {
  readonly clock: Clock;
  readonly units: Pick<UnitsApi, "held" | "names" | "setWork">;
  readonly store: WorkStore;
}

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

  /** Those that have not gone on since return. False where one of them stays. */
  async unmerged(tx: Tx, _actor: Actor, fromId: number, intoId: number): Promise<boolean> {
    const { units } = this.#deps;
    // A unit is once on a call: what came along returns before the one in whose place it went on is there again.
    const moves = (await repo.takeMoves(tx, fromId)).toSorted((a, b) => Number(a.kept_id !== null) - Number(b.kept_id !== null));
    const open = await repo.openOf(tx, intoId);
    await units.held(
      tx,
      open.map(({ unit_id: unit }) => unit),
    );
    const isSame = (id: number | null, version: number | null) => open.some((row) => row.id === id && row.version === version);
    const touched: repo.AssignmentRow[] = [];
    let areBack = true;
    for (const { assignment_id: id, version, kept_id: keptId, kept_version: kept, state } of moves) {
      const row = await repo.find(tx, id);
      if (row === null || row.version !== version) {
        areBack = false;
        continue;
      }
      if (keptId === null) {
        if (row.ended_marker === 0 && row.call_id === intoId) await repo.update(tx, id, { call_id: fromId });
        else areBack = false;
      } else if (isSame(keptId, kept) && isWorkingState(state)) await this.#revive(tx, row, state);
      touched.push(row);
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
  async #bring(tx: Tx, mergedId: number, { id, state, version }: repo.AssignmentRow, callId: number): Promise<void> {
    await repo.update(tx, id, { call_id: callId });
    await this.#note(tx, { merged_id: mergedId, assignment_id: id, state, version, kept_id: null, kept_version: null });
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
    const version = helped ? kept.version + 1 : kept.version;
    await repo.update(tx, kept.id, { ...(helped ? { needs_help: 1 } : {}), version });
    if (kept === goes) await this.#bring(tx, mergedId, { ...kept, version }, intoId);
    const after = { version: ended.version + 1, kept_id: kept.id, kept_version: version };
    await this.#note(tx, { merged_id: mergedId, assignment_id: ended.id, state: ended.state, ...after });
  }

  /** A unit that was on both calls is on both again. */
  async #revive(tx: Tx, row: repo.AssignmentRow, state: string): Promise<void> {
    const back = { state, ended_marker: 0, ended_at: null, reason: null, version: row.version + 1 };
    await repo.update(tx, row.id, { ...back, state_at: this.#deps.clock.now() });
    await this.#deps.units.setWork(tx, row.unit_id, true);
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
