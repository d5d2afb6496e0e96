import type { Viewer } from "#core/actor.ts";
import type { SearchEntry, SearchMatch } from "#core/contract/index.ts";
import { foldLetters } from "#core/contract/fold.ts";
import type { Clock, Database, Search, Tx } from "#core/ports/index.ts";
import { citizensSearchKind, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { colleaguesPermissions } from "./colleagues.base.contract.ts";
import { holdersOf, labelNames } from "./colleagues.labels.repo.ts";
import { reachesNobody, reachOfField } from "./colleagues.policy.ts";
import { foundIn, peopleOf } from "./colleagues.repo.ts";

export interface ColleaguesSearchDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly search: Pick<Search, "find">;
  readonly jobs: Pick<JobsApi, "labels">;
}

interface Hit {
  readonly match: SearchMatch;
  readonly score: number;
  /** By which they were found; null by the name. */
  readonly label: string | null;
}

/** The people of the own job in the global search, by name and by label. */
export class ColleaguesSearch {
  readonly #deps: ColleaguesSearchDeps;

  constructor(deps: ColleaguesSearchDeps) {
    this.#deps = deps;
  }

  async hits(viewer: Viewer, q: string, limit: number): Promise<SearchEntry[]> {
    if (!viewer.rights.has(colleaguesPermissions.list.id) || !viewer.rights.has(colleaguesPermissions.view.id)) return [];
    const { db, search, jobs } = this.#deps;
    return await db.read("colleagues.search", async (tx) => {
      const options = { limit, fields: ["name"], visible: foundIn(viewer.job) };
      const byName = (await search.find(tx, citizensSearchKind, q, options)).hits;
      // Whom the name finds is not found again by a label.
      const hits = new Map<number, Hit>([
        ...(await this.#byLabel(tx, viewer, q, limit)),
        ...byName.map(({ id, match, score }) => [id, { match, score, label: null }] as const),
      ]);
      const ids = [...hits.keys()];
      const people = await peopleOf(tx, viewer.job, ids);
      const names = await namesOfCitizens(tx, ids);
      const grades = await jobs.labels(tx);
      const found = [...hits].flatMap(([id, { match, score, label }]): SearchEntry[] => {
        const row = people.get(id);
        if (row === undefined) return [];
        const title = [row.name_prefix, names.get(id), row.name_suffix].filter(Boolean).join(" ");
        const subtitle = [grades.badge(row.job, row.grade).gradeLabel, label].filter(Boolean).join(" · ");
        return [{ id, ref: `CIT-${id}`, title, subtitle, match, score }];
      });
      return found.toSorted((a, b) => b.score - a.score).slice(0, limit);
    });
  }

  /** Of those whose labels the viewer sees. */
  async #byLabel(tx: Tx, viewer: Viewer, q: string, limit: number): Promise<[number, Hit][]> {
    const reach = reachOfField(viewer, "labels");
    if (reachesNobody(reach)) return [];
    const wanted = foldLetters(q.trim());
    const labels = (await labelNames(tx, viewer.job)).filter(({ name }) => foldLetters(name).startsWith(wanted));
    if (wanted === "" || labels.length === 0) return [];
    const names = new Map(labels.map(({ id, name }) => [id, name]));
    const by = { characterId: viewer.characterId, reach };
    const rows = await holdersOf(tx, { job: viewer.job, labelIds: [...names.keys()], by, now: this.#deps.clock.now() }, limit);
    return rows.map(({ id, citizen_id }): [number, Hit] => {
      const label = names.get(id) ?? "";
      const isWhole = foldLetters(label) === wanted;
      return [citizen_id, { match: isWhole ? "whole" : "beginning", score: isWhole ? 0.5 : 0.25, label }];
    });
  }
}
