import type { Clock, Tx } from "#core/ports/index.ts";
import { foldKey } from "./calls.fold.policy.ts";
import * as handovers from "./calls.handover.repo.ts";
import { changedJobs, storedJobs } from "./calls.merge.policy.ts";
import * as merges from "./calls.merge.repo.ts";
import * as repo from "./calls.repo.ts";
import type { CallsStore } from "./calls.store.service.ts";
import type { WorkOfCalls } from "./calls.work.service.ts";

export interface TakeOverDeps {
  readonly clock: Clock;
  readonly store: Pick<CallsStore, "changed">;
  readonly work: Pick<WorkOfCalls, "jobsAt">;
}

/** What becomes of the jobs of a call that another job has accepted. */
export class TakeOver {
  readonly #deps: TakeOverDeps;

  constructor(deps: TakeOverDeps) {
    this.#deps = deps;
  }

  /** The other job dispatches it from now on; the first one leaves, at once or when its units have ended. */
  async accept(tx: Tx, asked: handovers.HandOverRow, { type_id: typeId }: Pick<repo.CallRow, "type_id">): Promise<void> {
    const { work, clock } = this.#deps;
    const { id, call_id: callId, from_job: from, to_job: to } = asked;
    await this.#dispatches(tx, callId, to);
    await handovers.removeLeaving(tx, callId, to);
    await handovers.removeLeaving(tx, callId, from);
    const at = clock.now();
    await handovers.handOn(tx, callId, { from, to, at });
    if ((await work.jobsAt(tx, callId)).includes(from)) await handovers.update(tx, id, { state: "leaving", asked_at: at });
    else {
      await handovers.remove(tx, id);
      await repo.setLevel(tx, callId, from, "view");
    }
    await this.#takeParts(tx, callId, from, to);
    await repo.update(tx, callId, { fold_key: foldKey(typeId, await handovers.dispatching(tx, callId)) });
  }

  /** What was merged into it comes along, with its callers: who dispatches the whole reads it, and may undo it. */
  async #takeParts(tx: Tx, callId: number, from: string, to: string): Promise<void> {
    const parts = (await merges.partsOf(tx, [callId])).get(callId) ?? [];
    for (const { id, type_id: typeId } of parts) {
      await this.#dispatches(tx, id, to);
      await repo.setLevel(tx, id, from, "view");
      await repo.update(tx, id, { fold_key: foldKey(typeId, await handovers.dispatching(tx, id)) });
      await this.#deps.store.changed(tx, id);
    }
  }

  /** Whatever brought the job to the call before no longer takes it away. */
  async #dispatches(tx: Tx, callId: number, job: string): Promise<void> {
    const jobs = await repo.jobsOfCall(tx, callId);
    const own = jobs.find((one) => one.job === job);
    const position = own?.position ?? Math.max(-1, ...jobs.map((one) => one.position)) + 1;
    await repo.putJob(tx, { call_id: callId, job, level: "dispatch", min_grade: 0, expires_at: null, position });
    for (const { call_id: partId, jobs: changed } of await merges.mergesInto(tx, callId))
      await merges.setMergeJobs(tx, partId, storedJobs(changedJobs(changed).filter((one) => one.job !== job)));
  }
}
