import type { Tx } from "#core/ports/index.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import { characterIdsWithGrades } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { Recipient } from "#features/notifications/notifications.api.ts";
import type { Threshold } from "./conduct.kinds.contract.ts";
import { registerOf } from "./conduct.policy.ts";

export interface WatchersDeps {
  readonly access: Pick<AccessApi, "rightsIn">;
  readonly jobs: Pick<JobsApi, "job">;
}

interface Wanted extends Pick<Threshold, "notify"> {
  readonly job: string;
  /** A citizen, who is not among them. */
  readonly about: number;
  /** The grade of that citizen. */
  readonly above: number;
}

/** Most people of a job who are notified. */
const mostWatchers = 500;

/** Who is notified about the points of somebody: only people who see all entries of the job. */
export class Watchers {
  readonly #deps: WatchersDeps;

  constructor(deps: WatchersDeps) {
    this.#deps = deps;
  }

  async of(tx: Tx, { job, notify, about, above }: Wanted): Promise<Recipient[]> {
    const rightsOf = await this.#deps.access.rightsIn(tx);
    const grades = ((await this.#deps.jobs.job(tx, job))?.grades ?? [])
      .map(({ grade }) => grade)
      .filter((grade) => registerOf({ rights: rightsOf({ job, grade, jobAdmin: false }) }) === "all")
      .toSorted((a, b) => a - b);
    if (notify === "viewers") return await this.#ofGrades(tx, job, grades, about);
    for (const grade of grades.filter((one) => one > above)) {
      const found = await this.#ofGrades(tx, job, [grade], about);
      if (found.length > 0) return found;
    }
    return [];
  }

  async #ofGrades(tx: Tx, job: string, grades: readonly number[], about: number): Promise<Recipient[]> {
    if (grades.length === 0) return [];
    const ids = await characterIdsWithGrades(tx, [{ job, grades }], mostWatchers);
    const others = ids.filter((id) => id !== about);
    return others.length === 0 ? [] : await accountsPlaying(tx, others);
  }
}
