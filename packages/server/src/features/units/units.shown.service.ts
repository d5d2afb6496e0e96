import type { Viewer } from "#core/actor.ts";
import { type InputOf, mostCounted, type OutputOf } from "#core/contract/index.ts";
import { readCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import { idCursor, keysetPage } from "#core/paging.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi, OnDuty } from "#features/duty/duty.api.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import {
  type Happening,
  type listActivity,
  type listUnits,
  type Member,
  type Reason,
  type Unit,
  type UnitActivity,
  unitsErrors,
  unitsPermissions,
  type UnitStatus,
} from "./units.contract.ts";
import type { BaseKind } from "./units.machine.ts";
import { isGrey, mayMove, visibleJobs } from "./units.policy.ts";
import * as repo from "./units.repo.ts";
import type { MemberRow, UnitRow } from "./units.repo.ts";
import * as statuses from "./units.statuses.repo.ts";
import { rulesOf, textsOf } from "./units.store.service.ts";

export interface ShownUnitsDeps {
  readonly db: Database;
  readonly duty: Pick<DutyApi, "of" | "in">;
  readonly jobs: Pick<JobsApi, "labels">;
  /** Of these units, those that the viewer may join by their access lists. */
  admitted(tx: Tx, viewer: Viewer, units: readonly UnitRow[]): Promise<ReadonlySet<number>>;
}

/** What one viewer sees units with. */
interface View {
  readonly viewer: Viewer;
  readonly labels: JobLabels;
  readonly onDuty: boolean;
  readonly selfJoin: boolean;
  readonly members: readonly MemberRow[];
  readonly names: ReadonlyMap<number, string>;
  readonly duties: ReadonlyMap<number, OnDuty>;
  readonly statuses: ReadonlyMap<number, statuses.StatusRow>;
  readonly admitted: ReadonlySet<number>;
}

const usualLimit = 50;

/** Units as people read them. */
export class ShownUnits {
  readonly #deps: ShownUnitsDeps;

  constructor(deps: ShownUnitsDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer): Promise<OutputOf<typeof listUnits>> {
    const jobs = visibleJobs(viewer);
    return await this.#deps.db.read("units.list", async (tx) => {
      const live = await repo.unitsIn(tx, jobs && [...jobs]);
      const removed = viewer.rights.has(unitsPermissions.manage.id) ? await repo.removedIn(tx, viewer.job) : [];
      const own = live.filter(({ job }) => job === viewer.job);
      const rows = [...own, ...live.filter(({ job }) => job !== viewer.job).toSorted(byJob), ...removed];
      const people = await this.#deps.duty.in(tx, [viewer.job]);
      const view = await this.#view(tx, viewer, rows, people);
      return {
        items: rows.map((row) => shownUnit(view, row)),
        free: await this.#free(tx, view, people),
        onDuty: view.onDuty,
      };
    });
  }

  /** These units as the viewer sees them, in their order. */
  async rows(tx: Tx, viewer: Viewer, rows: readonly UnitRow[]): Promise<Unit[]> {
    const view = await this.#view(tx, viewer, rows, []);
    return rows.map((row) => shownUnit(view, row));
  }

  async one(tx: Tx, viewer: Viewer, id: number): Promise<Unit> {
    const row = (await repo.find(tx, id))!;
    return shownUnit(await this.#view(tx, viewer, [row], []), row);
  }

  /** A unit of the viewer's job that is not removed. */
  async own(tx: Tx, viewer: Viewer, id: number, isRemoved = false): Promise<UnitRow> {
    const row = await this.#visible(tx, viewer, id);
    if (row.job !== viewer.job) {
      const job = (await this.#deps.jobs.labels(tx)).label(row.job);
      throw new AppError(unitsErrors.otherJob, { params: { job } });
    }
    if ((row.deleted_at !== null) !== isRemoved) throw new AppError(unitsErrors.notFound);
    return row;
  }

  async activity(
    viewer: Viewer,
    id: number,
    query: InputOf<typeof listActivity>["query"],
  ): Promise<OutputOf<typeof listActivity>> {
    return await this.#deps.db.read("units.activity", async (tx) => {
      await this.#visible(tx, viewer, id);
      const limit = query.limit ?? usualLimit;
      const below = query.cursor === undefined ? null : readCursor(query.cursor).id;
      const rows = await repo.eventsOf(tx, id, below, limit + 1);
      const count = await repo.countEvents(tx, id, mostCounted + 1);
      const page = keysetPage({ rows, limit, count, cursorOf: idCursor });
      const ids = page.items.flatMap(({ citizen_id, by_id }) => [citizen_id, by_id]).filter((one) => one !== null);
      const names = await namesOfCitizens(tx, [...new Set(ids)]);
      return { ...page, items: page.items.map((row) => shownEvent(names, row)) };
    });
  }

  /** Throws for a unit of a job that the viewer does not see, and for a removed one that the viewer may not restore. */
  async #visible(tx: Tx, viewer: Viewer, id: number): Promise<UnitRow> {
    const row = await repo.find(tx, id);
    if (row === null || visibleJobs(viewer)?.has(row.job) === false) throw new AppError(unitsErrors.notFound);
    const restores = row.job === viewer.job && viewer.rights.has(unitsPermissions.manage.id);
    if (row.deleted_at !== null && !restores) throw new AppError(unitsErrors.notFound);
    return row;
  }

  async #view(tx: Tx, viewer: Viewer, rows: readonly UnitRow[], people: readonly OnDuty[]): Promise<View> {
    const { duty, jobs } = this.#deps;
    const members = await repo.membersOf(
      tx,
      rows.map(({ id }) => id),
    );
    const ids = [...new Set([...members.map(({ citizen_id }) => citizen_id), viewer.characterId])];
    const named = [...new Set([...ids, ...people.map(({ citizenId }) => citizenId)])];
    const duties = await duty.of(tx, ids);
    const rules = rulesOf((await statuses.rulesOf(tx, [viewer.job])).get(viewer.job));
    return {
      viewer,
      admitted: await this.#deps.admitted(tx, viewer, rows),
      labels: await jobs.labels(tx),
      onDuty: duties.get(viewer.characterId)?.job === viewer.job,
      selfJoin: rules.selfJoin,
      members,
      names: await namesOfCitizens(tx, named),
      duties,
      statuses: await statuses.statusesById(
        tx,
        rows.flatMap(({ status_id }) => status_id ?? []),
      ),
    };
  }

  async #free(tx: Tx, { viewer, names }: View, people: readonly OnDuty[]) {
    const members = await repo.memberships(
      tx,
      people.map(({ citizenId }) => citizenId),
    );
    return people
      .filter(({ citizenId }) => !members.has(citizenId))
      .toSorted((a, b) => b.grade - a.grade || a.since - b.since)
      .map(({ citizenId: id, grade, state, since }) => {
        return { id, name: names.get(id) ?? "", grade, state, since, mayMove: mayMove(viewer, { id, grade }) };
      });
  }
}

const byJob = (a: UnitRow, b: UnitRow) => (a.job < b.job ? -1 : Number(a.job > b.job));

function shownMember({ viewer, names, duties }: View, unit: UnitRow, row: MemberRow): Member {
  const duty = duties.get(row.citizen_id);
  const present = duty?.job === unit.job ? duty : undefined;
  const { citizen_id: id, role, joined_at: joinedAt } = row;
  const grade = present?.grade ?? null;
  const isMovable = unit.job === viewer.job && mayMove(viewer, { id, grade: grade ?? 0 });
  return { id, name: names.get(id) ?? "", grade, role, state: present?.state ?? "off", joinedAt, mayMove: isMovable };
}

function shownStatus(view: View, { base, status_id: id, status_at: since }: UnitRow): UnitStatus {
  const custom = id === null ? undefined : view.statuses.get(id);
  const look = { name: custom?.name ?? null, colour: custom?.colour ?? null, icon: custom?.icon ?? null };
  return { base: base as BaseKind, id: custom?.id ?? null, ...look, since };
}

function shownUnit(view: View, row: UnitRow): Unit {
  const crew = view.members.filter(({ unit_id }) => unit_id === row.id).map((member) => shownMember(view, row, member));
  return {
    id: row.id,
    version: row.version,
    deleted: row.deleted_at !== null,
    job: { name: row.job, label: view.labels.label(row.job) },
    ...contentOf(row),
    temporary: row.temporary === 1,
    restricted: row.restricted === 1,
    status: shownStatus(view, row),
    crew,
    grey: isGrey(crew.map(({ state }) => state)),
    hasWork: row.has_work === 1,
    mine: crew.some(({ id }) => id === view.viewer.characterId),
    may: abilities(view, row, crew),
  };
}

function abilities({ viewer, onDuty, selfJoin, admitted }: View, row: UnitRow, crew: readonly Member[]): Unit["may"] {
  if (row.job !== viewer.job) return [];
  const manages = viewer.rights.has(unitsPermissions.manage.id) ? (["manage"] as const) : [];
  if (row.deleted_at !== null) return [...manages];
  const isMember = crew.some(({ id }) => id === viewer.characterId);
  const moves = selfJoin || mayMove(viewer, { id: viewer.characterId, grade: viewer.grade });
  const sets = onDuty && (isMember || viewer.rights.has(unitsPermissions.status.id));
  return [
    ...(onDuty && moves && admitted.has(row.id) && !isMember && crew.length < row.max_crew ? (["join"] as const) : []),
    ...(isMember && moves ? (["leave"] as const) : []),
    ...(sets ? (["status"] as const) : []),
    ...manages,
  ];
}

/** What people wrote about a unit. */
export const contentOf = (row: UnitRow) => ({
  name: row.name,
  callsign: row.callsign,
  initials: row.initials,
  colour: row.colour,
  icon: row.icon,
  homePostal: row.home_postal,
  tags: textsOf(row.tags),
  roles: textsOf(row.roles),
  minCrew: row.min_crew,
  maxCrew: row.max_crew,
  isStatic: row.is_static === 1,
  radio: row.radio,
});

function shownEvent(names: ReadonlyMap<number, string>, row: repo.EventRow): UnitActivity {
  const person = (id: number | null) => (id === null || !names.has(id) ? null : { id, name: names.get(id)! });
  return {
    id: row.id,
    at: row.at,
    what: row.what as Happening,
    why: row.why as Reason,
    citizen: person(row.citizen_id),
    by: person(row.by_id),
    status: row.base === null ? null : { base: row.base as BaseKind, name: row.status_name },
    role: row.role,
  };
}
