import type { Viewer } from "#core/actor.ts";
import type { InputOf, OutputOf } from "#core/contract/index.ts";
import type { Database } from "#core/ports/index.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type listMoves, moveKinds } from "./citizens.moves.contract.ts";
import { moveKindOf } from "./citizens.moves.policy.ts";
import * as repo from "./citizens.moves.repo.ts";
import { namesOfCitizens } from "./citizens.reads.ts";

export interface MovesDeps {
  readonly db: Database;
  readonly jobs: JobsApi;
}

/** Who joined a job, left it, or got another grade in it. */
export class MovesService {
  readonly #deps: MovesDeps;

  constructor(deps: MovesDeps) {
    this.#deps = deps;
  }

  async list({ job }: Viewer, { from, limit = 5 }: InputOf<typeof listMoves>["query"]): Promise<OutputOf<typeof listMoves>> {
    const { db, jobs } = this.#deps;
    return await db.read("citizens.moves", async (tx) => {
      const rows = await repo.newest(tx, job, from, limit);
      const names = await namesOfCitizens(
        tx,
        rows.map(({ citizen_id }) => citizen_id),
      );
      const labels = await jobs.labels(tx);
      const counted = await repo.counted(tx, job, from);
      const countOf = (kind: string) =>
        counted.filter(({ rose, ...move }) => moveKindOf(job, move, rose) === kind).reduce((all, { n }) => all + n, 0);
      const [joined = 0, left = 0, promoted = 0, demoted = 0] = moveKinds.map(countOf);
      const items = rows.map((row) => {
        const kind = moveKindOf(job, row, row.grade > row.grade_before);
        const { gradeLabel } = labels.badge(job, kind === "left" ? row.grade_before : row.grade);
        return {
          id: row.id,
          at: row.at,
          kind,
          citizen: { id: row.citizen_id, name: names.get(row.citizen_id) ?? null },
          gradeLabel,
        };
      });
      return { counts: { joined, left, promoted, demoted }, items };
    });
  }
}
