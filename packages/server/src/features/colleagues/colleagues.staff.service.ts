import type { InputOf, OutputOf } from "#core/contract/index.ts";
import { readCursor, writeCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import { idCursor } from "#core/paging.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import { citizensByIds } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { colleaguesErrors } from "./colleagues.base.contract.ts";
import { heldBy } from "./colleagues.labels.repo.ts";
import { staffOf } from "./colleagues.sent.repo.ts";
import type { syncStaff } from "./colleagues.sync.contract.ts";

export interface StaffDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "job">;
  readonly duty: Pick<DutyApi, "of">;
}

const usualLimit = 200;

/** The people of a job, for the plugin on the game server. */
export class Staff {
  readonly #deps: StaffDeps;

  constructor(deps: StaffDeps) {
    this.#deps = deps;
  }

  async list(query: InputOf<typeof syncStaff>["query"]): Promise<OutputOf<typeof syncStaff>> {
    const { db, clock, jobs, duty } = this.#deps;
    const { job, cursor, limit = usualLimit } = query;
    const after = cursor === undefined ? 0 : readCursor(cursor, "").id;
    return await db.read("colleagues.syncStaff", async (tx) => {
      if ((await jobs.job(tx, job)) === null) throw new AppError(colleaguesErrors.jobUnknown, { params: { job } });
      const found = await staffOf(tx, job, after, limit + 1);
      const rows = found.slice(0, limit);
      const ids = rows.map(({ citizen_id }) => citizen_id);
      const people = await citizensByIds(tx, ids);
      const onDuty = await duty.of(tx, ids);
      const held = await heldBy(
        tx,
        rows.map(({ id }) => id),
        clock.now(),
      );
      const labels = Map.groupBy(held, ({ colleague_id }) => colleague_id);
      const last = rows.at(-1);
      return {
        items: rows.flatMap((row) => {
          const person = people.get(row.citizen_id);
          if (person === undefined) return [];
          const now = onDuty.get(row.citizen_id);
          const { identifier, name } = person;
          const { name_prefix: prefix, name_suffix: suffix, grade, since } = row;
          const names = (labels.get(row.id) ?? []).map((label) => label.name);
          return [{ identifier, name, prefix, suffix, grade, since, labels: names, duty: now?.job === job ? now.state : null }];
        }),
        next: found.length > limit && last !== undefined ? writeCursor(idCursor({ id: last.citizen_id })) : null,
      };
    });
  }
}
