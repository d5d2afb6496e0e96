import type { Viewer } from "#core/actor.ts";
import type { SearchEntry, SearchMatch } from "#core/contract/index.ts";
import { foldLetters } from "#core/contract/fold.ts";
import type { Clock, Database, Search, Tx } from "#core/ports/index.ts";
import { citizensSearchKind, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { UnitsApi } from "#features/units/units.api.ts";
import { colleaguesPermissions } from "./colleagues.base.contract.ts";
import { holdersOf, labelNames } from "./colleagues.labels.repo.ts";
import { crewsByCallsign, reachesNobody, reachOfField } from "./colleagues.policy.ts";
import { foundIn, peopleOf } from "./colleagues.repo.ts";

export interface ColleaguesSearchDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly search: Pick<Search, "find">;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly units: Pick<UnitsApi, "in">;
}

interface Hit {
  readonly match: SearchMatch;
  readonly score: number;
  /** The label or callsign by which they were found; null by the name. */
  readonly by: string | null;
}

/** The people of the own job in the global search, by name, by label and by the callsign of their unit. */
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
      // Whom the name finds is not found again by a callsign or a label.
      const hits = new Map<number, Hit>([
        ...(await this.#byLabel(tx, viewer, q, limit)),
        ...(await this.#byCallsign(tx, viewer, q, limit)),
        ...byName.map(({ id, match, score }) => [id, { match, score, by: null }] as const),
      ]);
      const ids = [...hits.keys()];
      const people = await peopleOf(tx, viewer.job, ids);
      const names = await namesOfCitizens(tx, ids);
      const grades = await jobs.labels(tx);
      const found = [...hits].flatMap(([id, { match, score, by }]): SearchEntry[] => {
        const row = people.get(id);
        if (row === undefined) return [];
        const title = [row.name_prefix, names.get(id), row.name_suffix].filter(Boolean).join(" ");
        const subtitle = [grades.badge(row.job, row.grade).gradeLabel, by].filter(Boolean).join(" · ");
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
    return rows.map(({ id, citizen_id }): [number, Hit] => [citizen_id, hitBy(names.get(id) ?? "", wanted)]);
  }

  async #byCallsign(tx: Tx, { job }: Viewer, q: string, limit: number): Promise<[number, Hit][]> {
    const crews = crewsByCallsign(await this.#deps.units.in(tx, [job]), q);
    const wanted = foldLetters(q.trim());
    return [...crews].slice(0, limit).map(([id, callsign]): [number, Hit] => [id, hitBy(callsign, wanted)]);
  }
}

/** What was found begins with what was wanted, or is it. */
function hitBy(by: string, wanted: string): Hit {
  const isWhole = foldLetters(by) === wanted;
  return { match: isWhole ? "whole" : "beginning", score: isWhole ? 0.5 : 0.25, by };
}
