import type { Viewer } from "#core/actor.ts";
import { foldLetters } from "#core/contract/fold.ts";
import type { SearchEntry } from "#core/contract/index.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { Unit } from "./units.contract.ts";
import { matchOf, visibleJobs } from "./units.policy.ts";
import * as repo from "./units.repo.ts";
import type { ShownUnits } from "./units.shown.service.ts";

export interface FoundUnitsDeps {
  readonly db: Database;
  readonly shown: Pick<ShownUnits, "rows">;
}

/** Units as the search and an export find them. */
export class FoundUnits {
  readonly #deps: FoundUnitsDeps;

  constructor(deps: FoundUnitsDeps) {
    this.#deps = deps;
  }

  /** Those that the viewer sees, in the order of their ids. */
  async all(tx: Tx, viewer: Viewer): Promise<Unit[]> {
    const jobs = visibleJobs(viewer);
    const rows = await repo.unitsIn(tx, jobs && [...jobs]);
    return await this.#deps.shown.rows(
      tx,
      viewer,
      rows.toSorted((a, b) => a.id - b.id),
    );
  }

  /** For the global search: by callsign and name. */
  async hits(viewer: Viewer, query: string, limit: number): Promise<SearchEntry[]> {
    const { db, shown } = this.#deps;
    const wanted = foldLetters(query.trim());
    if (wanted === "") return [];
    const jobs = visibleJobs(viewer);
    return await db.read("units.search", async (tx) => {
      const found = (await repo.unitsIn(tx, jobs && [...jobs]))
        .flatMap((row) => {
          const match = matchOf(wanted, row);
          return match === null ? [] : [{ row, match }];
        })
        .toSorted((a, b) => b.match.score - a.match.score)
        .slice(0, limit);
      const units = await shown.rows(
        tx,
        viewer,
        found.map(({ row }) => row),
      );
      return units.map(({ id, name, callsign, initials, job }, at) => {
        return { id, ref: callsign ?? initials, title: name, subtitle: job.label, ...found[at]!.match };
      });
    });
  }
}
