import type { Viewer } from "#core/actor.ts";
import type { Tx } from "#core/ports/index.ts";
import type { CallsApi, CallWorked, UnitAtWork, WorkOnCall } from "#features/calls/calls.api.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import type { UnitFacts, UnitsApi } from "#features/units/units.api.ts";
import { type Mode, modes, type OwnWork, usualRules, type WorkRules } from "./assignments.base.contract.ts";
import type { OpenState } from "./assignments.machine.ts";
import { dispatcherMoves, inOrder, memberMoves, progressOf, standingOf, takesAlone } from "./assignments.policy.ts";
import * as repo from "./assignments.repo.ts";

export interface ShownWorkDeps {
  readonly calls: Pick<CallsApi, "shown">;
  readonly duty: Pick<DutyApi, "of">;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly units: Pick<UnitsApi, "of" | "byIds">;
}

const modeOf = (stored: string): Mode => modes.find((mode) => mode === stored) ?? usualRules.mode;

export const rulesOfRow = (row: repo.RulesRow | undefined): WorkRules =>
  row === undefined ? usualRules : { version: row.version, mode: modeOf(row.mode), completes: row.completes === 1 };

/** The unit that a viewer works with; null for none, and off duty. */
interface Own {
  readonly unit: UnitFacts | null;
  readonly onDuty: boolean;
  readonly mode: Mode;
}

/** What units work, as a viewer sees it. */
export class ShownWork {
  readonly #deps: ShownWorkDeps;

  constructor(deps: ShownWorkDeps) {
    this.#deps = deps;
  }

  /** For each of these calls. */
  async on(tx: Tx, viewer: Viewer, calls: readonly CallWorked[]): Promise<Map<number, WorkOnCall>> {
    if (calls.length === 0) return new Map();
    const rows = await repo.ofCalls(
      tx,
      calls.map(({ id }) => id),
    );
    const byCall = Map.groupBy(rows, ({ call_id: id }) => id);
    const shown = rows.filter(({ ended_marker: ended }) => ended === 0).map(({ unit_id: unit }) => unit);
    const units = await this.#deps.units.byIds(tx, [...new Set(shown)]);
    const labels = await this.#deps.jobs.labels(tx);
    const own = await this.#own(tx, viewer);
    return new Map(
      calls.map((call) => [
        call.id,
        workOf(call, byCall.get(call.id) ?? [], { own, crew: crewUnit(own, viewer), units, labels }),
      ]),
    );
  }

  /** The calls that the viewer's unit is asked for or works, for somebody on duty in it. */
  async ofCrew(tx: Tx, viewer: Viewer): Promise<number[]> {
    const unit = crewUnit(await this.#own(tx, viewer), viewer);
    return unit === null ? [] : (await repo.callsOfUnit(tx, unit.id)).map(({ call_id: id }) => id);
  }

  /** The latest calls that a unit accepted or took. */
  async ofUnit(tx: Tx, unitId: number, limit: number): Promise<readonly number[]> {
    return await repo.workedBy(tx, unitId, limit);
  }

  async own(tx: Tx, viewer: Viewer): Promise<OwnWork> {
    const { unit, onDuty, mode } = await this.#own(tx, viewer);
    if (unit === null) return { unit: null, onDuty, mode, calls: [] };
    const rows = inOrder(await repo.callsOfUnit(tx, unit.id));
    const calls = await this.#deps.calls.shown(
      tx,
      viewer,
      rows.map(({ call_id: id }) => id),
    );
    const { id, name, callsign, colour, job } = unit;
    return {
      unit: { id, name, callsign, colour, job },
      onDuty,
      mode,
      calls: rows.flatMap((row) => calls.find((call) => call.id === row.call_id) ?? []),
    };
  }

  async #own(tx: Tx, { characterId, job }: Viewer): Promise<Own> {
    const { units, duty } = this.#deps;
    const unit = (await units.of(tx, [characterId])).get(characterId) ?? null;
    const present = (await duty.of(tx, [characterId])).get(characterId);
    const of = unit?.job ?? job;
    const { mode } = rulesOfRow((await repo.rulesOf(tx, [of])).get(of));
    return { unit, onDuty: present !== undefined && present.job === of, mode };
  }
}

/** The unit by which somebody sees its calls: rights follow the job that a person has now. */
const crewUnit = ({ unit, onDuty }: Own, { job }: Viewer): UnitFacts | null =>
  unit !== null && onDuty && unit.job === job ? unit : null;

interface With {
  readonly own: Own;
  readonly crew: UnitFacts | null;
  readonly units: ReadonlyMap<number, UnitFacts>;
  readonly labels: JobLabels;
}

function workOf(call: CallWorked, rows: readonly repo.AssignmentRow[], { own, crew, units, labels }: With): WorkOnCall {
  const open = inOrder(rows);
  const { unit, onDuty, mode } = own;
  const isOn = unit !== null && open.some((row) => row.unit_id === unit.id);
  return {
    progress: progressOf(rows),
    ...standingOf(rows, onDuty ? (unit?.id ?? null) : null, { openedAt: call.waitingSince, open: call.open }),
    units: open.flatMap((row) => {
      const found = units.get(row.unit_id);
      return found === undefined ? [] : [shownUnit(row, found, { own, labels })];
    }),
    takes: unit !== null && onDuty && !isOn && (takesAlone(mode) || call.kind === "panic") && call.jobs.includes(unit.job),
    crew: crew !== null && open.some((row) => row.unit_id === crew.id),
  };
}

function shownUnit(row: repo.AssignmentRow, unit: UnitFacts, { own, labels }: Pick<With, "own" | "labels">): UnitAtWork {
  const { id, name, callsign, colour, job } = unit;
  const mine = own.unit?.id === id;
  return {
    id: row.id,
    version: row.version,
    unit: { id, name, callsign, colour, job: { name: job, label: labels.label(job) } },
    state: row.state as OpenState,
    needsHelp: row.needs_help === 1,
    since: row.state_at,
    until: row.until,
    mine,
    memberMay: mine && own.onDuty ? memberMoves(row.state, own.mode) : [],
    dispatcherMay: dispatcherMoves(row.state),
  };
}
