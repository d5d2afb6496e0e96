import type { Clock, Outbox, Tasks, Tx } from "#core/ports/index.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { UnitFacts, UnitsApi, UnitWork } from "./units.api.ts";
import { dissolveUnit, emptyMs, type Happening, type Reason, unitsChanged, unitsEmptied } from "./units.contract.ts";
import type { BaseKind, UnitEvent } from "./units.machine.ts";
import { type Change, settle, type Standing, workBegan, workEnded } from "./units.policy.ts";
import type { UnitReminders } from "./units.reminders.service.ts";
import * as repo from "./units.repo.ts";
import type { UnitRow } from "./units.repo.ts";
import * as statuses from "./units.statuses.repo.ts";
import { type UnitRules, usualRules } from "./units.statuses.contract.ts";

export interface UnitStoreDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly tasks: Pick<Tasks, "enqueue">;
  readonly duty: Pick<DutyApi, "of">;
  readonly reminders: UnitReminders;
}

export function rulesOf(row: statuses.RulesRow | undefined): UnitRules {
  if (row === undefined) return usualRules;
  const { version, long_minutes: longMinutes, alone_minutes: aloneMinutes } = row;
  return { version, returns: row.returns === 1, selfJoin: row.self_join === 1, longMinutes, aloneMinutes };
}

export const standingOf = (unit: UnitRow, crew: number): Standing => ({
  base: unit.base as BaseKind,
  id: unit.status_id,
  since: unit.status_at,
  isStatic: unit.is_static === 1,
  minCrew: unit.min_crew,
  crew,
  hasWork: unit.has_work === 1,
  former: unit.former_base === null ? null : { base: unit.former_base as BaseKind, id: unit.former_status_id },
});

const whyOf: Readonly<Partial<Record<UnitEvent, Reason>>> = {
  lastLeft: "lastLeft",
  underMinimum: "underMinimum",
  minimumReached: "minimumReached",
  madeStatic: "madeStatic",
  workBegan: "workBegan",
  workEnded: "workEnded",
  workEndedAtBreak: "workEnded",
  workEndedUnready: "workEnded",
};

/** What happened to a unit, and who did it. */
interface Happened {
  readonly what: Happening;
  readonly why: Reason;
  readonly citizenId?: number;
  /** Null where it happened by itself. */
  readonly by: number | null;
  readonly role?: string | null;
}

/** Changes of units with what follows from them; each needs the lock of the unit's job. */
export class UnitStore {
  readonly api: UnitsApi = {
    registerWork: (work) => void (this.work = work),
    byIds: async (tx, ids) => await this.#byIds(tx, ids),
    held: async (tx, ids) => await this.#held(tx, ids),
    names: async (tx, ids) => new Map((await repo.byIds(tx, ids)).map(({ id, name }) => [id, name])),
    of: async (tx, citizenIds) => await this.#of(tx, citizenIds),
    in: async (tx, jobs) => await this.#facts(tx, await repo.unitsIn(tx, jobs)),
    setWork: async (tx, unitId, hasWork, goesOn = false) => await this.#setWork(tx, unitId, hasWork, goesOn),
  };
  readonly #deps: UnitStoreDeps;
  /** Null where no feature knows what units work. */
  work: UnitWork | null = null;

  constructor(deps: UnitStoreDeps) {
    this.#deps = deps;
  }

  /** The rules of the job, with the turn of those who change its units. */
  async lock(tx: Tx, job: string): Promise<UnitRules> {
    const { version, returns, selfJoin, longMinutes, aloneMinutes } = usualRules;
    const row = await statuses.lockRules(tx, {
      job,
      returns: returns ? 1 : 0,
      self_join: selfJoin ? 1 : 0,
      long_minutes: longMinutes,
      alone_minutes: aloneMinutes,
      version,
      updated_at: this.#deps.clock.now(),
    });
    return rulesOf(row);
  }

  async changed(tx: Tx, job: string): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, unitsChanged, { key: "units", version: clock.now(), payload: { jobs: [job] } });
  }

  async record(tx: Tx, unitId: number, { what, why, citizenId, by, role = null }: Happened): Promise<void> {
    const at = this.#deps.clock.now();
    const about = { citizen_id: citizenId ?? null, by_id: by, base: null, status_name: null, role };
    await repo.record(tx, [{ unit_id: unitId, at, what, why, ...about }]);
  }

  /** Puts somebody into a unit who is in none, and settles it. */
  async enter(tx: Tx, unit: UnitRow, member: { readonly id: number; readonly role: string | null; readonly by: number }) {
    const crew = (await repo.membersOf(tx, [unit.id])).length;
    const at = this.#deps.clock.now();
    await repo.addMember(tx, { citizen_id: member.id, unit_id: unit.id, role: member.role, joined_at: at });
    await this.record(tx, unit.id, { what: "joined", why: "byHand", citizenId: member.id, by: member.by, role: member.role });
    await this.settle(tx, unit, { crew, minCrew: unit.min_crew });
  }

  /** Takes somebody out of the unit that they are in, and settles it. The job of that unit; null where there is none. */
  async take(tx: Tx, citizenId: number, why: Reason, by: number | null): Promise<string | null> {
    const member = (await repo.memberships(tx, [citizenId])).get(citizenId);
    const unit = member === undefined ? null : await repo.find(tx, member.unit_id);
    if (unit === null) return null;
    const crew = (await repo.membersOf(tx, [unit.id])).length;
    await repo.removeMember(tx, citizenId);
    await this.record(tx, unit.id, { what: "left", why, citizenId, by });
    await this.settle(tx, unit, { crew, minCrew: unit.min_crew });
    await this.#deps.reminders.planAlone(tx, [citizenId]);
    return unit.job;
  }

  /** After the crew or the content of a unit changed; `before` is what counted until then. */
  async settle(tx: Tx, { id }: UnitRow, before: Pick<Standing, "crew" | "minCrew">): Promise<void> {
    const { tasks, clock } = this.#deps;
    const unit = (await repo.find(tx, id))!;
    const crew = (await repo.membersOf(tx, [id])).length;
    const rules = rulesOf((await statuses.rulesOf(tx, [unit.job])).get(unit.job));
    const change = settle(before, standingOf(unit, crew), rules.returns);
    if (change !== null) await this.apply(tx, unit, change, null);
    if (crew > 0 && unit.empty_since !== null) await repo.update(tx, id, { empty_since: null });
    if (crew > 0 || unit.empty_since !== null) return;
    const now = clock.now();
    await this.#deps.outbox.emit(tx, unitsEmptied, { key: `unit/${id}`, version: now, payload: { id } });
    await repo.update(tx, id, { empty_since: now });
    if (unit.temporary === 1)
      await tasks.enqueue(tx, dissolveUnit, { payload: { id }, key: `unit/${id}/empty`, dueAt: now + emptyMs });
  }

  /** Sets the status; null for `by` where nobody did it by hand. */
  async apply(tx: Tx, unit: UnitRow, { event, to }: Change, by: number | null): Promise<void> {
    const { clock, reminders } = this.#deps;
    const now = clock.now();
    const custom = to.id === null ? null : ((await statuses.statusesById(tx, [to.id])).get(to.id) ?? null);
    // A custom status that was deleted in the meantime leaves its base kind.
    const id = custom === null || custom.deleted_at !== null ? null : custom.id;
    await repo.update(tx, unit.id, { base: to.base, status_id: id, status_at: now });
    const why = whyOf[event] ?? "byHand";
    const name = id === null ? null : custom!.name;
    await repo.record(tx, [
      {
        unit_id: unit.id,
        at: now,
        what: "status",
        why,
        citizen_id: null,
        by_id: by,
        base: to.base,
        status_name: name,
        role: null,
      },
    ]);
    // Set again, a status is as long as it was.
    const since = unit.base === to.base ? unit.status_at : now;
    await reminders.planLong(tx, { id: unit.id, job: unit.job, base: to.base, since });
  }

  async #setWork(tx: Tx, unitId: number, hasWork: boolean, goesOn: boolean): Promise<void> {
    const found = await repo.find(tx, unitId);
    if (found === null) return;
    await this.lock(tx, found.job);
    const unit = await repo.find(tx, unitId);
    if (unit === null || unit.deleted_at !== null) return;
    if ((unit.has_work === 1) === hasWork && !(hasWork && goesOn && unit.base !== "busy")) return;
    const standing = standingOf(unit, (await repo.membersOf(tx, [unitId])).length);
    const change = hasWork ? workBegan(standing) : workEnded(standing);
    const former = hasWork ? { former_base: unit.base, former_status_id: unit.status_id } : noFormer;
    await repo.update(tx, unitId, { has_work: hasWork ? 1 : 0, ...former });
    if (change !== null) await this.apply(tx, unit, change, null);
    await this.changed(tx, unit.job);
  }

  async #byIds(tx: Tx, ids: readonly number[]): Promise<Map<number, UnitFacts>> {
    const rows = (await repo.byIds(tx, ids)).filter(({ deleted_at: deleted }) => deleted === null);
    return new Map((await this.#facts(tx, rows)).map((one) => [one.id, one]));
  }

  async #held(tx: Tx, ids: readonly number[]): Promise<Map<number, UnitFacts>> {
    const jobs = new Set((await repo.byIds(tx, ids)).map(({ job }) => job));
    for (const job of [...jobs].toSorted()) await this.lock(tx, job);
    return await this.#byIds(tx, ids);
  }

  async #of(tx: Tx, citizenIds: readonly number[]): Promise<Map<number, UnitFacts>> {
    const members = await repo.memberships(tx, citizenIds);
    const rows = await repo.byIds(tx, [...new Set([...members.values()].map((one) => one.unit_id))]);
    const facts = new Map((await this.#facts(tx, rows)).map((one) => [one.id, one]));
    return new Map([...members].flatMap(([id, { unit_id }]) => (facts.has(unit_id) ? [[id, facts.get(unit_id)!]] : [])));
  }

  async #facts(tx: Tx, rows: readonly UnitRow[]): Promise<UnitFacts[]> {
    const members = await repo.membersOf(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => {
      const crew = members.filter(({ unit_id }) => unit_id === row.id).map(({ citizen_id }) => citizen_id);
      const { base, since, isStatic, minCrew, hasWork } = standingOf(row, crew.length);
      const { id, job, name, callsign, colour, home_postal: homePostal } = row;
      return {
        id,
        job,
        name,
        callsign,
        colour,
        base,
        since,
        isStatic,
        minCrew,
        tags: textsOf(row.tags),
        homePostal,
        crew,
        hasWork,
      };
    });
  }
}

export const noFormer = { former_base: null, former_status_id: null } as const;

export const textsOf = (json: string): string[] => JSON.parse(json) as string[];
