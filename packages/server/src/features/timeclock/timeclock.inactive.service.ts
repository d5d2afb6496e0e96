import type { Viewer } from "#core/actor.ts";
import { days } from "#core/contract/index.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { Zone } from "#core/zone.ts";
import type { AbsencesApi } from "#features/absences/absences.api.ts";
import { absencesPermissions } from "#features/absences/absences.contract.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type InactivePeople, mostPeople, usualInactiveDays } from "./timeclock.contract.ts";
import * as repo from "./timeclock.inactive.repo.ts";
import { idleDays, reachOfHours } from "./timeclock.policy.ts";

export interface InactiveDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly zone: Pick<Zone, "dayOf">;
  readonly absences: Pick<AbsencesApi, "during">;
  readonly duty: Pick<DutyApi, "of">;
  readonly jobs: Pick<JobsApi, "labels">;
}

/** Who has not worked for a time. For a viewer who may not see who is absent, no days of absence are taken off: the difference would tell. */
export class InactiveService {
  readonly #deps: InactiveDeps;

  constructor(deps: InactiveDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer, wanted: number = usualInactiveDays): Promise<InactivePeople> {
    const { db, clock, zone, absences, duty, jobs } = this.#deps;
    const { job, characterId } = viewer;
    const now = clock.now();
    return await db.read("timeclock.inactive", async (tx) => {
      const seeing = { job, characterId, reach: reachOfHours(viewer) };
      const at = now - days(wanted);
      const rows = await repo.idleSince(tx, seeing, { at, day: zone.dayOf(at) }, mostPeople + 1);
      const found = rows.slice(0, mostPeople).map((row) => ({ ...row, workedAt: row.worked_at ?? row.worked_on }));
      const ids = found.map(({ citizen_id }) => citizen_id);
      const onDuty = await duty.of(tx, ids);
      const known = viewer.rights.has(absencesPermissions.list.id) ? ids : [];
      const spans = Map.groupBy(await absences.during(tx, job, known, idleFrom(found, now), now), ({ citizenId }) => citizenId);
      const names = await namesOfCitizens(tx, ids);
      const labels = await jobs.labels(tx);
      const people = found.map(({ citizen_id: id, grade, since: hiredAt, workedAt }) => {
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

/** Since when the first of them has not worked: absences before that say nothing. */
function idleFrom(people: readonly { readonly since: number | null; readonly workedAt: number | null }[], now: number): number {
  const known = people.filter(({ since, workedAt }) => since !== null || workedAt !== null);
  return Math.min(now, ...known.map(({ since, workedAt }) => Math.max(since ?? 0, workedAt ?? 0)));
}
