import type { Viewer } from "#core/actor.ts";
import { type InputOf, mostCounted, type Page } from "#core/contract/index.ts";
import { readCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import { keysetPage } from "#core/paging.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { charactersWithJobsById, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import {
  type LaterChange,
  type listLaterChanges,
  type listPeriods,
  type listPeriodSums,
  type Period,
  type PeriodDetail,
  type PeriodSum,
  timeclockErrors,
} from "./timeclock.contract.ts";
import type { PeriodState } from "./timeclock.machine.ts";
import * as repo from "./timeclock.periods.repo.ts";

export interface PeriodsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly duty: Pick<DutyApi, "in">;
}

const usualLimit = 50;
const byName = "name";

/** Pay periods of the viewer's job, as who can close them sees them. */
export class PeriodsService {
  readonly #deps: PeriodsDeps;

  constructor(deps: PeriodsDeps) {
    this.#deps = deps;
  }

  async list({ job }: Viewer, { cursor, limit = usualLimit }: InputOf<typeof listPeriods>["query"]): Promise<Page<Period>> {
    const after = cursor === undefined ? null : String(readCursor(cursor).key);
    return await this.#deps.db.read("timeclock.periods", async (tx) => {
      const rows = await repo.periodsOf(tx, job, after, limit + 1);
      const count = await repo.countPeriods(tx, job, mostCounted + 1);
      const cursorOf = ({ first_day: key, id }: repo.PeriodRow) => ({ order: "", key, id });
      const page = keysetPage({ rows, limit, count, cursorOf });
      return { ...page, items: await this.#shown(tx, page.items) };
    });
  }

  async get(viewer: Viewer, id: number): Promise<PeriodDetail> {
    const { db, duty } = this.#deps;
    return await db.read("timeclock.period", async (tx) => {
      const row = await this.#own(tx, viewer, id);
      const period = await this.one(tx, row);
      if (row.state !== "open") {
        const carried = row.state === "closed" ? await repo.carriedInto(tx, row.id) : null;
        return { period, preview: null, carried };
      }
      const onDuty = await duty.in(tx, [row.job]);
      const preview = {
        ...(await repo.presentSums(tx, row)),
        openCorrections: await repo.countOpen(tx, row),
        running: onDuty.filter(({ since }) => since < row.until_at).length,
        estimated: await repo.countEstimated(tx, row),
      };
      return { period, preview, carried: null };
    });
  }

  async sums(
    viewer: Viewer,
    { periodId, cursor, limit = usualLimit }: InputOf<typeof listPeriodSums>["query"],
  ): Promise<Page<PeriodSum>> {
    return await this.#deps.db.read("timeclock.periodSums", async (tx) => {
      const row = await this.#own(tx, viewer, periodId);
      const last = cursor === undefined ? null : readCursor(cursor, byName);
      const after = last === null ? null : { key: String(last.key), id: last.id };
      const rows = row.state === "closed" ? await repo.sumsByName(tx, row.id, after, limit + 1) : [];
      const cursorOf = ({ name_key: key, citizen_id: id }: repo.NamedSum) => ({ order: byName, key, id });
      const page = keysetPage({ rows, limit, count: 0, cursorOf });
      const items = await this.#frozen(tx, row.job, page.items);
      // Once it is closed, they are counted already.
      return { ...page, items, total: row.people ?? 0, totalCapped: false };
    });
  }

  /** One page of what a closed period has, by id; the caller has found out that the viewer may read it. */
  async frozen(tx: Tx, row: repo.PeriodRow, cursor: string | null, limit: number): Promise<Page<PeriodSum>> {
    const after = cursor === null ? 0 : readCursor(cursor).id;
    const rows = row.state === "closed" ? await repo.sumsOf(tx, row.id, after, limit + 1) : [];
    const cursorOf = ({ citizen_id: last }: repo.SumRow) => ({ order: "", key: null, id: last });
    const page = keysetPage({ rows, limit, count: 0, cursorOf });
    return { ...page, items: await this.#frozen(tx, row.job, page.items) };
  }

  async #frozen(tx: Tx, job: string, rows: readonly repo.SumRow[]): Promise<PeriodSum[]> {
    const ids = rows.map(({ citizen_id }) => citizen_id);
    const names = await namesOfCitizens(tx, ids);
    const held = await charactersWithJobsById(tx, ids);
    return rows.map(({ citizen_id: id, seconds, later_seconds: laterSeconds }) => ({
      id,
      name: nameOf(names, id),
      seconds: Number(seconds),
      laterSeconds: Number(laterSeconds),
      left: !(held.get(id)?.jobs.some((one) => one.job === job) ?? false),
    }));
  }

  async later(
    viewer: Viewer,
    { periodId: id, cursor, limit = usualLimit }: InputOf<typeof listLaterChanges>["query"],
  ): Promise<Page<LaterChange>> {
    const before = cursor === undefined ? null : readCursor(cursor).id;
    return await this.#deps.db.read("timeclock.laterChanges", async (tx) => {
      await this.#own(tx, viewer, id);
      const rows = await repo.laterOf(tx, id, before, limit + 1);
      const count = (await repo.countLater(tx, [id])).get(id) ?? 0;
      const cursorOf = ({ id: last }: repo.LaterRow) => ({ order: "", key: null, id: last });
      const page = keysetPage({ rows, limit, count, cursorOf });
      const names = await namesOfCitizens(tx, [...new Set(page.items.map(({ citizen_id }) => citizen_id))]);
      const days = await repo.firstDaysOf(tx, [...new Set(page.items.flatMap(({ carried_id }) => carried_id ?? []))]);
      return { ...page, items: page.items.map((row) => shownLater(row, names, days)) };
    });
  }

  async one(tx: Tx, row: repo.PeriodRow): Promise<Period> {
    return (await this.#shown(tx, [row]))[0]!;
  }

  /** For the export: null for one that the job does not have, or that is not closed. */
  async closed(tx: Tx, job: string, id: number): Promise<repo.PeriodRow | null> {
    const row = await repo.findPeriod(tx, id);
    return row !== null && row.job === job && row.state === "closed" ? row : null;
  }

  async #own(tx: Tx, { job }: Viewer, id: number): Promise<repo.PeriodRow> {
    const row = await repo.findPeriod(tx, id);
    if (row === null || row.job !== job) throw new AppError(timeclockErrors.periodNotFound);
    return row;
  }

  async #shown(tx: Tx, rows: readonly repo.PeriodRow[]): Promise<Period[]> {
    const later = await repo.countLater(
      tx,
      rows.map(({ id }) => id),
    );
    const names = await namesOfCitizens(tx, [...new Set(rows.flatMap(({ closed_by }) => closed_by ?? []))]);
    const now = this.#deps.clock.now();
    return rows.map((row) => ({
      id: row.id,
      version: row.version,
      firstDay: row.first_day,
      lastDay: row.last_day,
      until: row.until_at,
      state: row.state as PeriodState,
      people: row.people,
      seconds: row.seconds,
      closedAt: row.closed_at,
      closedBy: row.closed_by === null ? null : (names.get(row.closed_by) ?? null),
      later: later.get(row.id) ?? 0,
      may: row.state === "open" && row.until_at <= now ? ["close"] : [],
    }));
  }
}

const nameOf = (names: ReadonlyMap<number, string>, id: number): string => names.get(id) ?? `CIT-${id}`;

const shownLater = (row: repo.LaterRow, names: ReadonlyMap<number, string>, days: ReadonlyMap<number, string>): LaterChange => ({
  id: row.id,
  citizenId: row.citizen_id,
  name: nameOf(names, row.citizen_id),
  entryId: row.entry_id === 0 ? null : row.entry_id,
  seconds: row.seconds,
  why: row.why as LaterChange["why"],
  at: row.created_at,
  carried: row.carried_id === null ? null : (days.get(row.carried_id) ?? null),
});
