import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Tx } from "#core/ports/index.ts";
import type { JobgroupsApi } from "#features/jobgroups/jobgroups.api.ts";
import { jobgroupsErrors } from "#features/jobgroups/jobgroups.contract.ts";
import { reachOfHours } from "./timeclock.policy.ts";
import type { Seeing } from "./timeclock.repo.ts";

export interface WhoseDeps {
  readonly jobgroups: Pick<JobgroupsApi, "seesMembers">;
}

/** Whose hours a viewer reads. */
export class Whose {
  readonly #deps: WhoseDeps;

  constructor(deps: WhoseDeps) {
    this.#deps = deps;
  }

  /** Throws, as for an unknown group, for one whose members the viewer may not see: their hours would name them. */
  async seen(
    tx: Tx,
    viewer: Viewer,
    { grade, group }: { readonly grade?: number | undefined; readonly group?: number | undefined },
  ): Promise<Seeing> {
    if (group !== undefined && !(await this.#deps.jobgroups.seesMembers(tx, viewer, group)))
      throw new AppError(jobgroupsErrors.notFound);
    return {
      job: viewer.job,
      characterId: viewer.characterId,
      reach: reachOfHours(viewer),
      ...(grade === undefined ? {} : { grade }),
      ...(group === undefined ? {} : { groupId: group }),
    };
  }
}
