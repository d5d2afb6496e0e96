import type { Clock, Tx } from "#core/ports/index.ts";
import { charactersWithJobsById } from "#features/citizens/citizens.reads.ts";
import type { ConductAttachments } from "./conduct.attachments.service.ts";
import * as repo from "./conduct.follow.repo.ts";
import { lockRules } from "./conduct.kinds.repo.ts";
import { leftAtAfter } from "./conduct.policy.ts";
import type { ConductRecord } from "./conduct.record.service.ts";
import type { EntryRow } from "./conduct.repo.ts";

export interface FollowDeps {
  readonly clock: Clock;
  readonly attachments: ConductAttachments;
  readonly record: ConductRecord;
}

/** Keeps the register as people come, leave and are removed, and as time passes. */
export class FollowService {
  readonly #deps: FollowDeps;

  constructor(deps: FollowDeps) {
    this.#deps = deps;
  }

  /** Entries about somebody who left a job rest, and count again when they come back in time. */
  async citizensMoved(tx: Tx, citizenIds: readonly number[], at: number): Promise<void> {
    const { record } = this.#deps;
    const known = await repo.standings(tx, citizenIds);
    for (const job of [...new Set(known.map((one) => one.job))].toSorted()) {
      // In the turn of the job, so that an entry that is being written is not missed.
      await lockRules(tx, job, this.#deps.clock.now());
    }
    const people = await charactersWithJobsById(tx, [...new Set(known.map(({ citizen_id }) => citizen_id))]);
    for (const standing of await repo.standings(tx, citizenIds)) {
      const isIn = people.get(standing.citizen_id)?.jobs.some(({ job }) => job === standing.job) ?? false;
      const leftAt = leftAtAfter(standing.left_at, isIn, at);
      if (leftAt === undefined) continue;
      await repo.setLeft(tx, standing, leftAt);
      await record.changed(tx, standing, true);
    }
  }

  async purgeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    await this.#remove(tx, await repo.lockAbout(tx, citizenIds));
    await repo.forgetAuthors(tx, citizenIds);
  }

  async purge(tx: Tx, what: repo.Old, before: number, limit: number): Promise<number> {
    const ids = await repo.lockOld(tx, what, before, limit);
    await this.#remove(tx, ids);
    return ids.length;
  }

  /** A config admin deleted an attachment: pages that show the entry read it again. */
  async attachmentLost(tx: Tx, row: EntryRow): Promise<void> {
    const { record } = this.#deps;
    await record.audit(tx, { kind: "system", name: "conduct.attachmentLost" }, "conduct.attachmentLost", row);
    await record.changed(tx, row, row.state !== "draft");
  }

  async #remove(tx: Tx, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await repo.remove(tx, ids);
    await this.#deps.attachments.release(tx, ids);
  }
}
