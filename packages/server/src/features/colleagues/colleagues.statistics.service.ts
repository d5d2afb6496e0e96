import type { Viewer } from "#core/actor.ts";
import type { OutputOf } from "#core/contract/index.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AbsencesApi } from "#features/absences/absences.api.ts";
import { absencesPermissions } from "#features/absences/absences.contract.ts";
import type { People } from "./colleagues.people.service.ts";
import { countRows } from "./colleagues.repo.ts";
import { type getJobStatistics, mostMoves, statisticsMonths } from "./colleagues.statistics.contract.ts";
import { monthsUntil, statisticsOf } from "./colleagues.statistics.policy.ts";
import { filledAt, movesSince } from "./colleagues.statistics.repo.ts";

export interface JobStatisticsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly absences: Pick<AbsencesApi, "in">;
  readonly people: People;
}

/** Most people of one job that are counted. */
const mostPeople = 1_000_000;

/** How a job grew and shrank, from what happened to its people. */
export class JobStatistics {
  readonly #deps: JobStatisticsDeps;

  constructor(deps: JobStatisticsDeps) {
    this.#deps = deps;
  }

  async get(viewer: Viewer): Promise<OutputOf<typeof getJobStatistics>> {
    const { db, clock, people: shown, absences } = this.#deps;
    const { job } = viewer;
    const now = clock.now();
    const months = monthsUntil(shown.zone, now, statisticsMonths);
    return await db.read("colleagues.statistics", async (tx) => {
      const people = await countRows(tx, { job }, mostPeople);
      const moves = await movesSince(tx, job, months[0]!.from, mostMoves);
      const filled = (await filledAt(tx)) ?? now;
      const first = moves[0]?.at ?? now;
      // What was cut off is not known either.
      const knownFrom = moves.length < mostMoves ? Math.min(filled, first) : first;
      const onLeave = viewer.rights.has(absencesPermissions.list.id)
        ? new Set((await absences.in(tx, job, now)).map(({ citizenId }) => citizenId)).size
        : null;
      return { people, onLeave, months: statisticsOf(months, { moves, people, knownFrom, now }) };
    });
  }
}
