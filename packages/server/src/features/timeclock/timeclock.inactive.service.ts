import type { Viewer } from "#core/actor.ts";
import { days } from "#core/contract/index.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AbsencesApi } from "#features/absences/absences.api.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type InactivePeople, mostPeople, usualInactiveDays } from "./timeclock.contract.ts";
import * as repo from "./timeclock.inactive.repo.ts";
import { idleDays, reachOfHours } from "./timeclock.policy.ts";

export interface InactiveDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly absences: Pick<AbsencesApi, "during">;
  readonly duty: Pick<DutyApi, "of">;
  readonly jobs: Pick<JobsApi, "labels">;
}

/** Who has not worked for a time. */
export class InactiveService {
  readonly #deps: InactiveDeps;

  constructor(deps: InactiveDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer, wanted: number = usualInactiveDays): Promise<InactivePeople> {
    const { db, clock, absences, duty, jobs } = this.#deps;
    const { job, characterId } = viewer;
    const now = clock.now();
    return await db.read("timeclock.inactive", async (tx) => {
      const seeing = { job, characterId, reach: reachOfHours(viewer) };
      const rows = await repo.idleSince(tx, seeing, now - days(wanted), mostPeople + 1);
      const ids = rows.slice(0, mostPeople).map(({ citizen_id }) => citizen_id);
      const onDuty = await duty.of(tx, ids);
      const last = await repo.lastEnds(tx, job, ids);
      const spans = Map.groupBy(await absences.during(tx, job, ids, 0, now), ({ citizenId }) => citizenId);
      const names = await namesOfCitizens(tx, ids);
      const labels = await jobs.labels(tx);
      const people = rows.slice(0, mostPeople).map(({ citizen_id: id, grade, since: hiredAt }) => {
        const workedAt = last.get(id) ?? null;
        const away = (spans.get(id) ?? []).map(({ from, until }) => ({ from, to: until }));
        const idle = idleDays({ hiredAt, workedAt }, away, now);
        return { id, name: names.get(id) ?? `CIT-${id}`, job: labels.badge(job, grade), workedAt, hiredAt, days: idle };
      });
      return {
        people: people.filter((one) => onDuty.get(one.id)?.job !== job && (one.days === null || one.days >= wanted)),
        complete: rows.length <= mostPeople,
      };
    });
  }
}
