import type { Viewer } from "#core/actor.ts";
import { CachedMap } from "#core/cached.ts";
import type { InputOf, OutputOf } from "#core/contract/index.ts";
import { readCursor, writeCursor } from "#core/cursor.ts";
import type { Clock, Database, ExportPage, Tx } from "#core/ports/index.ts";
import { Zone } from "#core/zone.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { JobBadge } from "#features/jobs/jobs.contract.ts";
import { mostOnDuty } from "./duty.contract.ts";
import { type dutyStatistics, mostCounted, mostCountedPeople } from "./duty.history.contract.ts";
import * as repo from "./duty.history.repo.ts";
import { listSources, onDutyIn } from "./duty.repo.ts";
import { callingSince, runningSpans, type Slots, slotsSince, statisticsOf, unknownIn } from "./duty.statistics.policy.ts";
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

/** A statistic is read again after this time. Milliseconds. */
const statisticsMs = 15_000;
/** Of how many jobs the last statistic is kept. */
const mostStatistics = 100;

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
  readonly #zone: Zone;
  /** By job: what everybody gets who sees the job, for reading it costs far more than asking for it. */
  readonly #statistics: CachedMap<string, OutputOf<typeof dutyStatistics>>;
  #slots: Slots | null = null;

  constructor(deps: DutyHistoryDeps) {
    this.#deps = deps;
    this.#zone = new Zone(deps.zone);
    this.#statistics = new CachedMap({ clock: deps.clock, ttlMs: statisticsMs, max: mostStatistics });
  }

  async statistics(
    viewer: Viewer,
    { job = viewer.job }: InputOf<typeof dutyStatistics>["query"],
  ): Promise<OutputOf<typeof dutyStatistics>> {
    requireVisible(viewer, job);
    return await this.#statistics.get(job, async () => await this.#read(job));
  }

  async #read(job: string): Promise<OutputOf<typeof dutyStatistics>> {
    const { db, clock, zone, most = mostCounted } = this.#deps;
    // Days and hours are asked of the zone once in a quarter of an hour, and not by each caller.
    this.#slots = slotsSince(this.#slots, clock.now(), (at) => this.#zone.wallTime(at));
    const slots = this.#slots;
    return await db.read("duty.statistics", async (tx) => {
      const { ended, since, silences } = await repo.pastDuties(tx, { job, ...slots }, most + 1);
      const people = await onDutyIn(tx, [job], mostOnDuty);
      const sources = await listSources(tx);
      const running = runningSpans(people, sources, slots.to);
      const begun = [...(since === null ? [] : [since]), ...running.map(({ from }) => from)];
      const gaps = {
        since: begun.length === 0 ? null : Math.min(...begun),
        silences,
        sources: callingSince(sources, slots.from),
      };
      const spans = [...ended.slice(0, most), ...running];
      const { days, knownDays, hours, people: seconds } = statisticsOf(spans, unknownIn(spans, gaps, slots), slots);
      const longest = [...seconds].toSorted(([a, one], [b, other]) => other - one || a - b).slice(0, mostCountedPeople);
      const names = await namesOfCitizens(
        tx,
        longest.map(([id]) => id),
      );
      // Who was deleted has no name any more, and counts for days and hours alone.
      const named = longest.flatMap(([id, sum]) => (names.has(id) ? [{ id, name: names.get(id)!, seconds: sum }] : []));
      return { job, zone, days, knownDays, hours, people: named, complete: ended.length <= most };
    });
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
