import type { Clock, Decider, Tx } from "#core/ports/index.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import { characterIdsWithGrades } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { absencesPermissions } from "./absences.base.contract.ts";
import { present } from "./absences.repo.ts";

export interface ApproversDeps {
  readonly clock: Clock;
  readonly access: Pick<AccessApi, "rightsIn">;
  readonly jobs: Pick<JobsApi, "job">;
}

export interface NextApprovers {
  /** Null for job admins, after whom nobody else is asked. */
  readonly grade: number | null;
  readonly deciders: readonly Decider[];
}

/** Of one grade that are looked at. */
const mostOfGrade = 500;

/** Who decides about the absence of somebody. */
export class Approvers {
  readonly #deps: ApproversDeps;

  constructor(deps: ApproversDeps) {
    this.#deps = deps;
  }

  /** The nearest grade above one whose role has the right, and of which somebody is there to be asked; otherwise job admins. */
  async next(tx: Tx, job: string, above: number, requesterId: number): Promise<NextApprovers> {
    const permission = absencesPermissions.approve.id;
    const rightsOf = await this.#deps.access.rightsIn(tx);
    const grades = ((await this.#deps.jobs.job(tx, job))?.grades ?? []).map(({ grade }) => grade);
    for (const grade of grades.filter((one) => one > above).toSorted((a, b) => a - b)) {
      if (!rightsOf({ job, grade, jobAdmin: false }).has(permission)) continue;
      if (await this.#isThere(tx, job, grade, requesterId))
        return { grade, deciders: [{ by: "right", permission, job, grades: { from: grade, to: grade } }] };
    }
    return { grade: null, deciders: [{ by: "jobAdmins", job }] };
  }

  async #isThere(tx: Tx, job: string, grade: number, requesterId: number): Promise<boolean> {
    const ids = (await characterIdsWithGrades(tx, [{ job, grades: [grade] }], mostOfGrade)).filter((id) => id !== requesterId);
    if (ids.length === 0) return false;
    const now = this.#deps.clock.now();
    const away = await present(tx, { job, citizenIds: ids }, { from: now, until: now + 1 }, mostOfGrade);
    const absent = new Set(away.map(({ citizen_id }) => citizen_id));
    const there = ids.filter((id) => !absent.has(id));
    // Who never chose this character here could neither be notified nor decide.
    return (await accountsPlaying(tx, there)).length > 0;
  }
}
