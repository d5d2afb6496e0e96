import type { Actor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Approvals, Clock, Database, Tx } from "#core/ports/index.ts";
import { charactersWithJobsById, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import { type Absence, absencesErrors, absencesPermissions } from "./absences.base.contract.ts";
import type { AbsenceChanges } from "./absences.changes.service.ts";
import { absenceApproval, cancelAbsence, cancelledForYou, substituteFree } from "./absences.contract.ts";
import { endedFrom, mayEnter } from "./absences.policy.ts";
import * as repo from "./absences.repo.ts";
import { type ShownAbsences, stateOf } from "./absences.shown.service.ts";

export interface EndingsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly approvals: () => Approvals;
  readonly shown: ShownAbsences;
  readonly changes: AbsenceChanges;
}

const left = { kind: "system", name: "absences.left" } as const;

/** Ends absences: for those who may cancel them, and when the game says that somebody left the job. */
export class AbsenceEndings {
  readonly #deps: EndingsDeps;

  constructor(deps: EndingsDeps) {
    this.#deps = deps;
  }

  async cancel(call: CallContext, id: number, version: number): Promise<Absence> {
    const { db, changes } = this.#deps;
    const viewer = call.viewer();
    return await db.write(cancelAbsence.id, async (tx) => {
      const row = await repo.find(tx, id);
      if (row === null) throw new AppError(absencesErrors.notFound);
      const isOwn = row.citizen_id === viewer.characterId;
      if (!isOwn) await this.#requireEntered(tx, viewer, row);
      if (row.version !== version) throw await changes.stale(tx, viewer, row);
      if (!(await this.#end(tx, call.actor, row, cancelAbsence.id))) throw new AppError(absencesErrors.over);
      if (!isOwn) await changes.notifyPerson(tx, row, cancelledForYou, viewer.characterName);
      return await changes.shown(tx, viewer, row);
    });
  }

  /** Ends the absences of citizens in jobs that they do not have any more, and no one counts on them there as substitutes. */
  async leftJobs(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    const { clock, changes } = this.#deps;
    const now = clock.now();
    const rows = await repo.lockLive(tx, citizenIds, now);
    const substituted = await repo.lockSubstituted(tx, citizenIds, now);
    if (rows.length === 0 && substituted.length === 0) return;
    const people = await charactersWithJobsById(tx, [...new Set(citizenIds)]);
    const isThere = (id: number, job: string) => people.get(id)?.jobs.some((one) => one.job === job) ?? false;
    for (const row of rows) if (!isThere(row.citizen_id, row.job)) await this.#end(tx, left, row, left.name);
    for (const row of substituted) {
      const id = row.substitute_id ?? 0;
      if (isThere(id, row.job)) continue;
      // Its version is of now, because the loop above may have ended it.
      await repo.update(tx, row.id, { substitute_id: null, version: ((await repo.find(tx, row.id))?.version ?? 0) + 1 });
      const name = (await namesOfCitizens(tx, [id])).get(id) ?? `CIT-${id}`;
      await changes.record(tx, left, left.name, row, { before: { substitute: name }, after: {} });
      await changes.changed(tx, row);
    }
  }

  async purgeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    await repo.removeCitizens(tx, citizenIds);
  }

  /** Throws unless the viewer entered it, and could enter it now. */
  async #requireEntered(tx: Tx, viewer: Viewer, row: repo.AbsenceRow): Promise<void> {
    const { citizen_id: id, job, requested_by: enteredBy } = row;
    if (job !== viewer.job || enteredBy !== viewer.characterId) throw new AppError(absencesErrors.notFound);
    const held = (await charactersWithJobsById(tx, [id])).get(id)?.jobs.find((one) => one.job === job);
    if (held !== undefined && mayEnter(viewer, { id, grade: held.grade })) return;
    const name = (await namesOfCitizens(tx, [id])).get(id) ?? `CIT-${id}`;
    const params = { permission: absencesPermissions.enter.id, name, job };
    throw new AppError(absencesErrors.notYours, { params });
  }

  /** False when nothing of it is left to end. */
  async #end(tx: Tx, actor: Actor, row: repo.AbsenceRow, action: string): Promise<boolean> {
    const { approvals, shown, changes } = this.#deps;
    const ending = endedFrom({ firstDay: row.first_day, lastDay: row.last_day, state: stateOf(row) }, shown.today());
    if (ending === null) return false;
    const { state, lastDay } = ending;
    if (stateOf(row) === "requested") await approvals().withdraw(tx, actor, absenceApproval, String(row.id));
    const until = lastDay === row.last_day ? row.until_at : shown.between({ firstDay: lastDay, lastDay }).until;
    const version = row.version + 1;
    await repo.update(tx, row.id, { state, last_day: lastDay, until_at: until, version });
    await changes.record(tx, actor, action, row, {
      before: { state: row.state, lastDay: row.last_day },
      after: { state, lastDay },
    });
    if (stateOf(row) === "approved") {
      await changes.notifySubstitute(tx, row, substituteFree);
      const actorId = actor.kind === "character" ? actor.characterId : null;
      await changes.happened(tx, { ...row, version }, "ended", actorId);
    }
    await changes.changed(tx, row);
    return true;
  }
}
