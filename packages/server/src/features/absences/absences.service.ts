import type { Actor, Viewer } from "#core/actor.ts";
import { days } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { charactersWithJobsById, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type Absence, absencesErrors, absencesPermissions, mostOfDay, shippedKind } from "./absences.base.contract.ts";
import { type AbsenceChanges, daysOf } from "./absences.changes.service.ts";
import {
  type AbsenceEntry,
  type AbsenceRequest,
  enterAbsence,
  enteredForYou,
  requestAbsence,
  substituteNamed,
  usualShare,
} from "./absences.contract.ts";
import type { AbsenceDecisions } from "./absences.decide.service.ts";
import { kindsOf, lockRules } from "./absences.kinds.repo.ts";
import { contentOf } from "./absences.kinds.service.ts";
import { type KindLimits, mayEnter, requireAllowed, requireSpan, type Span } from "./absences.policy.ts";
import * as repo from "./absences.repo.ts";
import type { ShownAbsences } from "./absences.shown.service.ts";

export interface AbsencesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "meanings">;
  readonly shown: ShownAbsences;
  readonly decisions: AbsenceDecisions;
  readonly changes: AbsenceChanges;
}

interface Person {
  readonly id: number;
  readonly name: string;
  readonly job: string;
}

/** The kind that somebody chose. */
interface Chosen {
  readonly id: number | null;
  readonly name: string;
  readonly needsApproval: boolean;
}

/** An absence that nothing speaks against. */
export interface NewAbsence {
  readonly person: Person;
  readonly kind: Chosen;
  readonly span: Span;
  readonly reason: string | null;
  readonly substituteId: number | null;
  /** Of somebody else, who enters it: then it counts at once. */
  readonly enteredBy?: number;
}

/** Asks for absences and enters them, for the browser and everything else that offers this. */
export class AbsencesService {
  readonly #deps: AbsencesDeps;

  constructor(deps: AbsencesDeps) {
    this.#deps = deps;
  }

  async request(call: CallContext, wanted: AbsenceRequest): Promise<Absence> {
    const { db, changes } = this.#deps;
    const viewer = call.viewer();
    const { characterId: id, characterName: name, job } = viewer;
    requireSpan(wanted, "body");
    return await db.write(requestAbsence.id, async (tx) => {
      await this.#takeTurn(tx, job);
      // Who is in a mode has a job that the game does not know of.
      const held = (await charactersWithJobsById(tx, [id])).get(id)?.jobs ?? [];
      if (!held.some((one) => one.job === job)) throw new AppError(absencesErrors.noJob);
      const checked = await this.#checked(tx, { id, name, job }, wanted);
      return await changes.shown(tx, viewer, await this.store(tx, call.actor, checked));
    });
  }

  async enter(call: CallContext, { citizenId, ...wanted }: AbsenceEntry): Promise<Absence> {
    const { db, changes } = this.#deps;
    const viewer = call.viewer();
    requireSpan(wanted, "body");
    return await db.write(enterAbsence.id, async (tx) => {
      // Before anything is read that another request, or a change of the job, may change meanwhile.
      await this.#takeTurn(tx, viewer.job);
      const person = await this.#subject(tx, viewer, citizenId);
      const checked = await this.#checked(tx, person, wanted);
      const row = await this.store(tx, call.actor, { ...checked, enteredBy: viewer.characterId });
      await changes.notifyPerson(tx, row, enteredForYou, viewer.characterName);
      return await changes.shown(tx, viewer, row);
    });
  }

  /** What was checked before: it counts at once, or those who decide are asked. */
  async store(
    tx: Tx,
    actor: Actor,
    { person, kind, span, reason, substituteId, enteredBy }: NewAbsence,
  ): Promise<repo.AbsenceRow> {
    const { clock, shown, decisions, changes } = this.#deps;
    const between = shown.between(span);
    const now = clock.now();
    const waits = kind.needsApproval && enteredBy === undefined;
    const id = await repo.insert(tx, {
      job: person.job,
      citizen_id: person.id,
      kind_id: kind.id,
      from_at: between.from,
      until_at: between.until,
      first_day: span.firstDay,
      last_day: span.lastDay,
      reason,
      substitute_id: substituteId,
      state: waits ? "requested" : "approved",
      requested_by: enteredBy ?? person.id,
      decided_by: enteredBy ?? null,
      decided_at: enteredBy === undefined ? null : now,
      decision_reason: null,
      version: 1,
      created_at: now,
    });
    const row = (await repo.find(tx, id))!;
    const action = enteredBy === undefined ? requestAbsence.id : enterAbsence.id;
    await changes.record(tx, actor, action, row, { after: daysOf(row) });
    if (waits) await decisions.ask(tx, actor, row, { kind: kind.name, name: person.name });
    else {
      await changes.notifySubstitute(tx, row, substituteNamed);
      await changes.happened(tx, row, "entered", row.requested_by);
    }
    await changes.changed(tx, row);
    return row;
  }

  /** Requests of a job take turns, so that neither of two for one person misses the days of the other. */
  async #takeTurn(tx: Tx, job: string): Promise<void> {
    await lockRules(tx, { job, share: usualShare, version: 0, updated_at: this.#deps.clock.now() });
  }

  /** Throws what speaks against these days of a person. The turn of the job is held. */
  async #checked(tx: Tx, person: Person, wanted: AbsenceRequest): Promise<NewAbsence> {
    const { jobs, shown } = this.#deps;
    const { kindId, substituteId = null, reason = null, firstDay, lastDay } = wanted;
    const span = { firstDay, lastDay };
    if (!(await jobs.meanings(tx)).isWork(person.job)) throw new AppError(absencesErrors.noJob);
    const kind = await this.#kind(tx, person.job, kindId);
    requireAllowed(span, kind, shown.today());
    await this.#requireRoom(tx, person);
    await this.#requireFree(tx, person, shown.between(span));
    if (substituteId !== null) await this.#requireSubstitute(tx, person, substituteId);
    return { person, kind, span, reason: reason?.trim() || null, substituteId };
  }

  /** For whom an absence is entered. Throws unless the viewer may. */
  async #subject(tx: Tx, viewer: Viewer, id: number): Promise<Person> {
    const { job } = viewer;
    const people = await charactersWithJobsById(tx, [id, viewer.characterId]);
    const held = people.get(id)?.jobs.find((one) => one.job === job);
    if (held === undefined) throw new AppError(absencesErrors.personUnknown);
    const name = (await namesOfCitizens(tx, [id])).get(id) ?? `CIT-${id}`;
    // Nor of another character of the own account: that would approve it for oneself.
    const licence = people.get(id)?.licence ?? "";
    const isOwn = licence !== "" && licence === people.get(viewer.characterId)?.licence;
    if (!isOwn && mayEnter(viewer, { id, grade: held.grade })) return { id, name, job };
    throw new AppError(absencesErrors.notYours, { params: { permission: absencesPermissions.enter.id, name, job } });
  }

  async #kind(tx: Tx, job: string, id: number | null): Promise<Chosen & KindLimits> {
    const live = (await kindsOf(tx, job)).filter(({ deleted_at }) => deleted_at === null);
    if (id === null && live.length === 0) return { id: null, name: "", ...shippedKind };
    const row = live.find((one) => one.id === id);
    if (row === undefined) throw new AppError(absencesErrors.kindNotFound);
    return { ...contentOf(row), id: row.id };
  }

  /** Each one notifies others: who asks and cancels again and again would flood them. */
  async #requireRoom(tx: Tx, { job, id: citizenId }: Person): Promise<void> {
    const created = await repo.countCreated(tx, { job, citizenId }, this.#deps.clock.now() - days(1));
    if (created >= mostOfDay) throw new AppError(absencesErrors.tooMany, { params: { most: mostOfDay } });
  }

  async #requireFree(tx: Tx, { job, id: citizenId }: Person, between: repo.Between): Promise<void> {
    const other = await repo.overlapping(tx, { job, citizenId }, between);
    if (other === null) return;
    const params = { id: other.id, first: other.first_day, last: other.last_day };
    throw new AppError(absencesErrors.overlaps, { params });
  }

  async #requireSubstitute(tx: Tx, { job, id: personId }: Person, id: number): Promise<void> {
    const found = id === personId ? undefined : (await charactersWithJobsById(tx, [id])).get(id);
    if (!found?.jobs.some((one) => one.job === job)) throw new AppError(absencesErrors.substituteUnknown);
  }
}
