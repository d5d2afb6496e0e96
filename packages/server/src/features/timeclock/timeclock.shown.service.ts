import type { Viewer } from "#core/actor.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import { addDays, type Zone } from "#core/zone.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type Correction, correctedDays, type Entry } from "./timeclock.contract.ts";
import * as corrections from "./timeclock.corrections.repo.ts";
import type { CorrectionState, EntryState } from "./timeclock.machine.ts";
import { isMissing, secondsOf } from "./timeclock.policy.ts";
import * as repo from "./timeclock.repo.ts";

export interface ShownDeps {
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly zone: Zone;
}

/** Entries with their corrections, as a viewer sees them. */
export class ShownEntries {
  readonly #deps: ShownDeps;

  constructor(deps: ShownDeps) {
    this.#deps = deps;
  }

  /** As it is now. */
  async one(tx: Tx, viewer: Viewer, { id }: repo.EntryRow): Promise<Entry> {
    const [entry] = await this.many(tx, viewer, [(await repo.find(tx, id))!]);
    return entry!;
  }

  /** In the order of the rows. Three statements. */
  async many(tx: Tx, viewer: Viewer, rows: readonly repo.EntryRow[]): Promise<Entry[]> {
    const { clock, jobs, zone } = this.#deps;
    const all = await corrections.correctionsOf(
      tx,
      rows.map(({ id }) => id),
    );
    const names = await namesOfCitizens(tx, [...new Set(all.flatMap(({ decided_by }) => decided_by ?? []))]);
    const labels = await jobs.labels(tx);
    const byEntry = Map.groupBy(all, ({ entry_id }) => entry_id);
    const earliest = zone.startOf(addDays(zone.dayOf(clock.now()), -correctedDays));
    return rows.map((row) => {
      const own = byEntry.get(row.id) ?? [];
      const isOpen = own.some(({ state }) => state === "requested");
      const isOwn = row.citizen_id === viewer.characterId && row.job === viewer.job;
      const corrects = isOwn && row.state === "counted" && !isOpen && row.from_at >= earliest;
      return {
        id: row.id,
        version: row.version,
        citizenId: row.citizen_id,
        job: labels.badge(row.job, row.grade),
        from: row.from_at,
        to: row.to_at,
        seconds: secondsOf({ from: row.from_at, to: row.to_at }),
        by: row.started_by as Entry["by"],
        ending: row.ending as Entry["ending"],
        estimated: Number(row.estimated) === 1,
        asked: row.period_id < 0,
        state: row.state as EntryState,
        corrections: own.map((one) => shownCorrection(row, one, viewer, names)),
        may: corrects ? ["correct"] : [],
      };
    });
  }
}

function shownCorrection(
  entry: repo.EntryRow,
  row: corrections.CorrectionRow,
  { characterId }: Pick<Viewer, "characterId">,
  names: ReadonlyMap<number, string>,
): Correction {
  const decision = row.decided_at === null ? null : { at: row.decided_at, by: nameOf(row, names), reason: row.decision_reason };
  return {
    id: row.id,
    version: row.version,
    state: row.state as CorrectionState,
    kind: isMissing(entry, row.id) ? "missing" : row.reason === null ? "late" : "change",
    oldFrom: row.old_from,
    oldTo: row.old_to,
    from: row.new_from,
    to: row.new_to,
    reason: row.reason,
    requestedAt: row.created_at,
    decision,
    may: row.state === "requested" && row.requested_by === characterId ? ["cancel"] : [],
  };
}

const nameOf = ({ decided_by: id }: corrections.CorrectionRow, names: ReadonlyMap<number, string>): string | null =>
  id === null ? null : (names.get(id) ?? null);
