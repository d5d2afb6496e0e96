import type { Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { type InputOf, mostCounted, type Page } from "#core/contract/index.ts";
import { readCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import { keysetPage } from "#core/paging.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { Zone } from "#core/zone.ts";
import { charactersWithJobsById, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import {
  type Entry,
  type EntriesFilter,
  type getTeam,
  type listEntries,
  mostPeople,
  mostPlottedDays,
  mostShownDays,
  type PersonHours,
  type TeamHours,
  timeclockErrors,
} from "./timeclock.contract.ts";
import { lengthOf, type Range, reachOfHours, requireRange, seesHours, targetOf } from "./timeclock.policy.ts";
import { daysOf } from "./timeclock.days.repo.ts";
import * as repo from "./timeclock.repo.ts";
import * as sums from "./timeclock.sums.repo.ts";
import type { ShownEntries } from "./timeclock.shown.service.ts";
import type { TargetsService } from "./timeclock.targets.service.ts";
import type { Whose } from "./timeclock.whose.service.ts";
import type { Static } from "typebox";

export interface HoursDeps {
  readonly db: Database;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly zone: Zone;
  readonly shown: ShownEntries;
  readonly targets: TargetsService;
  readonly whose: Whose;
}

const usualLimit = 50;

/** An entry as people export it. */
export interface ExportedEntry {
  readonly entry: Entry;
  readonly name: string;
}

/** How long people worked. Sums are read from the days, and those of many people from months and years; never from entries. */
export class HoursService {
  readonly #deps: HoursDeps;

  constructor(deps: HoursDeps) {
    this.#deps = deps;
  }

  async hours(viewer: Viewer, id: number, range: Range): Promise<PersonHours> {
    const { db, jobs, zone, targets } = this.#deps;
    requireRange(range);
    return await db.read("timeclock.hours", async (tx) => {
      const grade = await this.#gradeSeen(tx, viewer, id);
      const rows = await daysOf(tx, viewer.job, [id], range);
      const name = (await namesOfCitizens(tx, [id])).get(id) ?? "";
      return {
        id,
        name,
        job: (await jobs.labels(tx)).badge(viewer.job, grade),
        zone: zone.name,
        ...this.#between(range),
        days: rows.map(({ day, seconds }) => ({ day, seconds })),
        seconds: rows.reduce((sum, { seconds }) => sum + seconds, 0),
        targetHours: targetOf((await targets.of(tx, viewer.job)).targets, grade),
      };
    });
  }

  async entries(
    viewer: Viewer,
    { cursor, limit = usualLimit, citizenId: id, ...range }: InputOf<typeof listEntries>["query"],
  ): Promise<Page<Entry>> {
    requireRange(range);
    const after = afterOf(cursor);
    return await this.#deps.db.read("timeclock.list", async (tx) => {
      await this.#gradeSeen(tx, viewer, id);
      const between = this.#between(range);
      const rows = await repo.entriesOf(tx, viewer.job, id, between, { after, limit: limit + 1 });
      const count = await repo.countEntriesOf(tx, viewer.job, id, between, mostCounted + 1);
      const cursorOf = ({ from_at: key, id: last }: repo.EntryRow) => ({ order: "", key, id: last });
      const page = keysetPage({ rows, limit, count, cursorOf });
      return { ...page, items: await this.#deps.shown.many(tx, viewer, page.items) };
    });
  }

  async team(viewer: Viewer, { grade, group, ...range }: InputOf<typeof getTeam>["query"]): Promise<TeamHours> {
    const { db, jobs, zone, targets, whose } = this.#deps;
    requireRange(range);
    return await db.read("timeclock.team", async (tx) => {
      const seeing = await whose.seen(tx, viewer, { grade, group });
      const plan = await sums.planFor(tx, viewer.job, range);
      const found = await sums.sumsByPerson(tx, seeing, plan, mostPeople + 1);
      const people = found.slice(0, mostPeople);
      const ids = people.map(({ citizenId }) => citizenId);
      const complete = found.length <= mostPeople;
      const length = lengthOf(range);
      const withDays = length <= mostShownDays;
      const byMonth = length > mostPlottedDays;
      const byDay = async () => (complete && withDays ? sumsByDay(rows) : await sums.sumsByDay(tx, seeing, range));
      const rows = withDays ? await daysOf(tx, viewer.job, ids, range) : [];
      const byPerson = Map.groupBy(rows, ({ citizen_id }) => citizen_id);
      const names = await namesOfCitizens(tx, ids);
      const labels = await jobs.labels(tx);
      const wanted = (await targets.of(tx, viewer.job)).targets;
      return {
        zone: zone.name,
        people: people.map((one) => ({
          id: one.citizenId,
          name: names.get(one.citizenId) ?? `CIT-${one.citizenId}`,
          job: labels.badge(viewer.job, one.grade),
          seconds: one.seconds,
          targetHours: targetOf(wanted, one.grade),
          days: (byPerson.get(one.citizenId) ?? []).map(({ day, seconds }) => ({ day, seconds })),
        })),
        complete,
        days: byMonth ? [] : await byDay(),
        months: byMonth ? await sums.sumsByMonth(tx, seeing, plan) : [],
      };
    });
  }

  /** For the export: how many match, counted up to `cap`. */
  async count(tx: Tx, viewer: Viewer, { citizenId, ...range }: Static<typeof EntriesFilter>, cap: number): Promise<number> {
    requireRange(range);
    const seeing = seeingOf(viewer, citizenId === undefined ? {} : { citizenId });
    return await repo.countExported(tx, seeing, this.#between(range), cap);
  }

  async exported(
    tx: Tx,
    viewer: Viewer,
    { citizenId, ...range }: Static<typeof EntriesFilter>,
    { after: cursor, limit }: { readonly after: string | null; readonly limit: number },
  ): Promise<Page<ExportedEntry>> {
    requireRange(range);
    const seeing = seeingOf(viewer, citizenId === undefined ? {} : { citizenId });
    const after = afterOf(cursor ?? undefined);
    const rows = await repo.exportedEntries(tx, seeing, this.#between(range), { after, limit: limit + 1 });
    const cursorOf = ({ to_at: key, id }: repo.EntryRow) => ({ order: "", key, id });
    const page = keysetPage({ rows, limit, count: 0, cursorOf });
    const names = await namesOfCitizens(tx, [...new Set(page.items.map(({ citizen_id }) => citizen_id))]);
    const entries = await this.#deps.shown.many(tx, viewer, page.items);
    return { ...page, items: entries.map((entry) => ({ entry, name: names.get(entry.citizenId) ?? "" })) };
  }

  #between({ firstDay, lastDay }: Range): repo.Between {
    return { from: this.#deps.zone.startOf(firstDay), until: this.#deps.zone.endOf(lastDay) };
  }

  /** The present one; throws for somebody whose hours the viewer does not see. */
  async #gradeSeen(tx: Tx, viewer: Viewer, id: number): Promise<number> {
    const held = (await charactersWithJobsById(tx, [id])).get(id)?.jobs.find(({ job }) => job === viewer.job);
    // Somebody in a mode has a grade that the game does not know.
    if (id === viewer.characterId) return held?.grade ?? viewer.grade;
    if (held === undefined || !seesHours(viewer, { characterId: id, grade: held.grade }))
      throw new AppError(timeclockErrors.notFound);
    return held.grade;
  }
}

/** Of rows in the order of their days. */
function sumsByDay(rows: readonly { readonly day: string; readonly seconds: number }[]): { day: string; seconds: number }[] {
  const sums = new Map<string, number>();
  for (const { day, seconds } of rows) sums.set(day, (sums.get(day) ?? 0) + seconds);
  return [...sums].map(([day, seconds]) => ({ day, seconds }));
}

const afterOf = (cursor: string | undefined): repo.Place["after"] => {
  if (cursor === undefined) return null;
  const { key, id } = readCursor(cursor);
  if (typeof key !== "number") {
    const params = { field: "query.cursor", problem: "is not the `next` of a page" };
    throw new AppError(guardErrors.invalidInput, { params });
  }
  return { at: key, id };
};

const seeingOf = (viewer: Viewer, more: Pick<repo.Seeing, "citizenId">): repo.Seeing => {
  return { job: viewer.job, characterId: viewer.characterId, reach: reachOfHours(viewer), ...more };
};
