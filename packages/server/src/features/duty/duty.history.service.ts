import type { Viewer } from "#core/actor.ts";
import type { InputOf, OutputOf } from "#core/contract/index.ts";
import { readCursor, writeCursor } from "#core/cursor.ts";
import type { Clock, Database, ExportPage, Tx } from "#core/ports/index.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { JobBadge } from "#features/jobs/jobs.contract.ts";
import { type dutyStatistics, mostCounted } from "./duty.history.contract.ts";
import * as repo from "./duty.history.repo.ts";
import { type Slots, slotsSince, statisticsOf, wallTimeIn } from "./duty.statistics.policy.ts";
import { requireVisible } from "./duty.visible.policy.ts";

export interface DutyHistoryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "labels">;
  /** Of the DSN's `loc`. */
  readonly zone: string;
  /** Most periods of one statistic. */
  readonly most?: number;
}

/** A duty that has ended, as people export it. */
export interface Period {
  readonly row: repo.PeriodRow;
  readonly name: string;
  readonly job: JobBadge;
}

export interface PeriodsFilter {
  readonly job: string;
  readonly from?: number;
  readonly to?: number;
}

/** Duties that have ended. */
export class DutyHistory {
  readonly #deps: DutyHistoryDeps;
  readonly #wallTime: ReturnType<typeof wallTimeIn>;
  #slots: Slots | null = null;

  constructor(deps: DutyHistoryDeps) {
    this.#deps = deps;
    this.#wallTime = wallTimeIn(deps.zone);
  }

  async statistics(
    viewer: Viewer,
    { job = viewer.job }: InputOf<typeof dutyStatistics>["query"],
  ): Promise<OutputOf<typeof dutyStatistics>> {
    requireVisible(viewer, job);
    const { db, clock, zone, most = mostCounted } = this.#deps;
    // Days and hours are asked of the zone once in a quarter of an hour, and not by each caller.
    this.#slots = slotsSince(this.#slots, clock.now(), this.#wallTime);
    const slots = this.#slots;
    const found = await db.read("duty.statistics", async (tx) => await repo.spans(tx, { job, ...slots }, most + 1));
    const { days, hours } = statisticsOf(found.slice(0, most), slots);
    return { job, zone, days, hours, complete: found.length <= most };
  }

  async count(tx: Tx, viewer: Viewer, filter: PeriodsFilter, requestedAt: number, cap: number): Promise<number> {
    return await repo.countPeriods(tx, wanted(viewer, filter, requestedAt), cap);
  }

  async exported(
    tx: Tx,
    viewer: Viewer,
    filter: PeriodsFilter,
    { requestedAt, after, limit }: { readonly requestedAt: number; readonly after: string | null; readonly limit: number },
  ): Promise<ExportPage<Period>> {
    const periods = wanted(viewer, filter, requestedAt);
    const cursor = after === null ? null : readCursor(after);
    const last = cursor && { to: Number(cursor.key), id: cursor.id };
    const rows = await repo.periodsAfter(tx, periods, last, limit);
    const names = await namesOfCitizens(tx, [...new Set(rows.map(({ citizen_id }) => citizen_id))]);
    const labels = await this.#deps.jobs.labels(tx);
    const end = rows.length < limit ? undefined : rows.at(-1);
    return {
      rows: rows.map((row) => ({ row, name: names.get(row.citizen_id) ?? "", job: labels.badge(row.job, row.grade) })),
      next: end === undefined ? null : writeCursor({ order: "", key: end.to_at, id: end.id }),
    };
  }
}

/** Without an end, an export would go on with duties that end while it runs. */
function wanted(viewer: Viewer, { job, from = 0, to }: PeriodsFilter, requestedAt: number): repo.PeriodsWanted {
  requireVisible(viewer, job);
  return { job, from, to: Math.min(to ?? requestedAt, requestedAt) };
}
