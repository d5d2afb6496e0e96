import type { Viewer } from "#core/actor.ts";
import { days, type InputOf, mostCounted, type OutputOf, type Page } from "#core/contract/index.ts";
import { readCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import { invalid } from "#core/invalid.ts";
import { idCursor, keysetPage } from "#core/paging.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { addDays } from "#core/zone.ts";
import { charactersWithJobsById, countMembers, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { AbsencesApi, AbsentNow } from "./absences.api.ts";
import { type Absence, absencesErrors } from "./absences.base.contract.ts";
import {
  type getCapacity,
  type getStatistics,
  type listAbsent,
  type listMonth,
  type listOf,
  type listOwn,
  type listWaiting,
  mostAbsent,
  mostStatisticsDays as mostDays,
  mostWaiting,
} from "./absences.contract.ts";
import { kindsById } from "./absences.kinds.repo.ts";
import type { KindsService } from "./absences.kinds.service.ts";
import {
  countDays,
  countKinds,
  daysOfMonth,
  eachDay,
  lengthOf,
  mayEnter,
  mostAtOnce,
  requireSpan,
  seesAllKinds,
  type Span,
} from "./absences.policy.ts";
import * as repo from "./absences.repo.ts";
import { type ShownAbsences, shownKind } from "./absences.shown.service.ts";

export interface AbsenceListsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly kinds: Pick<KindsService, "rules">;
  readonly shown: ShownAbsences;
}

type MonthQuery = InputOf<typeof listMonth>["query"];

const usualLimit = 50;

/** Absences as people read them. */
export class AbsenceLists {
  readonly api: AbsencesApi = {
    of: async (tx, job, citizenIds, at) => {
      const rows = await this.#presentAt(tx, job, at, citizenIds);
      return new Map(rows.map((one) => [one.citizenId, one]));
    },
    during: async (tx, job, citizenIds, from, until) => {
      if (citizenIds.length === 0) return [];
      const rows = await repo.latest(tx, { job, citizenIds }, { from, until }, mostAbsent);
      return rows.map((row) => ({ citizenId: row.citizen_id, from: row.from_at, until: row.until_at }));
    },
    in: async (tx, job, at) => await this.#presentAt(tx, job, at),
  };
  readonly #deps: AbsenceListsDeps;

  constructor(deps: AbsenceListsDeps) {
    this.#deps = deps;
  }

  async own(viewer: Viewer, { cursor, limit = usualLimit }: InputOf<typeof listOwn>["query"]): Promise<Page<Absence>> {
    const { db, shown } = this.#deps;
    const after = cursor === undefined ? null : readCursor(cursor).id;
    return await db.read("absences.own", async (tx) => {
      const seeing = await shown.seeing(tx, viewer);
      return await this.#ofPerson(tx, seeing, viewer.characterId, { after, limit });
    });
  }

  /** Of a colleague. */
  async of(viewer: Viewer, query: InputOf<typeof listOf>["query"]): Promise<OutputOf<typeof listOf>> {
    const { db, shown } = this.#deps;
    const { citizenId: id, cursor, limit = usualLimit } = query;
    const after = cursor === undefined ? null : readCursor(cursor).id;
    return await db.read("absences.of", async (tx) => {
      const held = (await charactersWithJobsById(tx, [id])).get(id)?.jobs.find(({ job }) => job === viewer.job);
      if (held === undefined) throw new AppError(absencesErrors.personUnknown);
      const page = await this.#ofPerson(tx, await shown.seeing(tx, viewer), id, { after, limit });
      return { ...page, enter: mayEnter(viewer, { id, grade: held.grade }) };
    });
  }

  async statistics(viewer: Viewer, span: Span): Promise<OutputOf<typeof getStatistics>> {
    const { db, shown } = this.#deps;
    requireSpan(span, "query");
    if (lengthOf(span) > mostDays) throw invalid("query.lastDay", `must be before ${addDays(span.firstDay, mostDays)}`);
    return await db.read("absences.statistics", async (tx) => {
      const spans = await repo.spansWithin(tx, viewer.job, shown.between(span));
      const counts = new Map(countDays(spans, span).map(({ day, absent }) => [day, absent]));
      const days = eachDay(span).map((day) => ({ day, absent: counts.get(day) ?? 0 }));
      if (!seesAllKinds(viewer)) return { days };
      const byKind = countKinds(spans, span);
      const named = await kindsById(tx, [...new Set(byKind.flatMap(({ kindId }) => kindId ?? []))]);
      return { days, kinds: byKind.map((one) => ({ kind: shownKind(named, one.kindId), days: one.days })) };
    });
  }

  async waiting(viewer: Viewer): Promise<OutputOf<typeof listWaiting>> {
    const { db, shown } = this.#deps;
    return await db.read("absences.waiting", async (tx) => {
      const seeing = await shown.seeing(tx, viewer);
      const decides = seeing.decides.slice(0, mostWaiting);
      const rows = decides.length === 0 ? [] : await repo.byIds(tx, seeing, decides);
      const waiting = rows.filter(({ state }) => state === "requested");
      return { items: await shown.shown(tx, seeing, waiting), complete: seeing.decides.length <= mostWaiting };
    });
  }

  async month(viewer: Viewer, query: MonthQuery): Promise<Page<Absence>> {
    return await this.#deps.db.read("absences.month", async (tx) => {
      const { items, seeing, between } = await this.#month(tx, viewer, query);
      const count = await repo.countTouching(tx, seeing, between, mostCounted + 1);
      const page = keysetPage({ rows: items, limit: query.limit ?? usualLimit, count, cursorOf: idCursor });
      return { ...page, items: await this.#deps.shown.shown(tx, seeing, page.items) };
    });
  }

  /** For the export: a page without its total. */
  async exported(tx: Tx, viewer: Viewer, query: MonthQuery): Promise<Page<Absence>> {
    const { items, seeing } = await this.#month(tx, viewer, query);
    const page = keysetPage({ rows: items, limit: query.limit ?? usualLimit, count: 0, cursorOf: idCursor });
    return { ...page, items: await this.#deps.shown.shown(tx, seeing, page.items) };
  }

  /** For the export: how many match, counted up to `cap`. */
  async count(tx: Tx, viewer: Viewer, { month }: Pick<MonthQuery, "month">, cap: number): Promise<number> {
    const { shown } = this.#deps;
    return await repo.countTouching(tx, await shown.seeing(tx, viewer), shown.between(daysOfMonth(month)), cap);
  }

  async capacity({ job }: Viewer, span: Span): Promise<OutputOf<typeof getCapacity>> {
    const { db, kinds, shown } = this.#deps;
    requireSpan(span, "query");
    if (lengthOf(span) > mostDays) throw invalid("query.lastDay", `must be before ${addDays(span.firstDay, mostDays)}`);
    return await db.read("absences.capacity", async (tx) => {
      const people = (await countMembers(tx, [job])).get(job) ?? 0;
      const spans = await repo.spansWithin(tx, job, shown.between(span));
      const { share } = await kinds.rules(tx, job);
      return { people, most: mostAtOnce(people, share), days: countDays(spans, span) };
    });
  }

  async absent({ job }: Viewer): Promise<OutputOf<typeof listAbsent>> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    return await db.read("absences.now", async (tx) => {
      const rows = await repo.present(tx, { job }, { from: now, until: now + days(1) }, mostAbsent);
      const names = await namesOfCitizens(tx, [...new Set(rows.flatMap(({ substitute_id }) => substitute_id ?? []))]);
      const items = rows.map((row) => ({
        id: row.citizen_id,
        from: row.from_at,
        until: row.until_at,
        day: row.last_day,
        substitute: row.substitute_id === null ? null : { id: row.substitute_id, name: names.get(row.substitute_id) ?? "" },
      }));
      return { items };
    });
  }

  async #ofPerson(tx: Tx, seeing: repo.Seeing, id: number, { after, limit }: repo.Place): Promise<Page<Absence>> {
    const rows = await repo.ofPerson(tx, seeing, id, { after, limit: limit + 1 });
    const count = await repo.countOfPerson(tx, seeing, id, mostCounted + 1);
    const page = keysetPage({ rows, limit, count, cursorOf: idCursor });
    return { ...page, items: await this.#deps.shown.shown(tx, seeing, page.items) };
  }

  async #month(tx: Tx, viewer: Viewer, { month, cursor, limit = usualLimit }: MonthQuery) {
    const { shown } = this.#deps;
    const seeing = await shown.seeing(tx, viewer);
    const between = shown.between(daysOfMonth(month));
    const after = cursor === undefined ? null : readCursor(cursor).id;
    return { seeing, between, items: await repo.touching(tx, seeing, between, { after, limit: limit + 1 }) };
  }

  async #presentAt(tx: Tx, job: string, at: number, citizenIds?: readonly number[]): Promise<AbsentNow[]> {
    if (citizenIds?.length === 0) return [];
    const who = { job, ...(citizenIds === undefined ? {} : { citizenIds }) };
    const rows = await repo.present(tx, who, { from: at, until: at + 1 }, mostAbsent);
    return rows.map((row) => {
      return { citizenId: row.citizen_id, until: row.until_at, lastDay: row.last_day, substituteId: row.substitute_id };
    });
  }
}
