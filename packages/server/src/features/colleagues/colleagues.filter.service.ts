import type { Viewer } from "#core/actor.ts";
import type { InputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type FoundIds, hitsNeeded, idsOf } from "#core/found.ts";
import { mostFound } from "#core/paging.ts";
import type { Clock, Search, Tx } from "#core/ports/index.ts";
import type { AbsencesApi } from "#features/absences/absences.api.ts";
import { absencesPermissions } from "#features/absences/absences.contract.ts";
import { citizensSearchKind } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { UnitsApi } from "#features/units/units.api.ts";
import { colleaguesErrors, colleaguesPermissions, type listColleagues } from "./colleagues.contract.ts";
import { crewsByCallsign, fieldHidden, reachesNobody, reachOfField } from "./colleagues.policy.ts";
import * as repo from "./colleagues.repo.ts";

export interface ColleaguesFilterDeps {
  readonly clock: Clock;
  readonly search: Pick<Search, "find">;
  readonly duty: Pick<DutyApi, "in">;
  readonly absences: Pick<AbsencesApi, "in">;
  readonly units: Pick<UnitsApi, "in">;
}

export type ColleaguesQuery = InputOf<typeof listColleagues>["query"];

/** What a query asks for, with its search looked up. */
export interface Asked {
  readonly filter: repo.PeopleFilter;
  readonly narrowed: boolean;
  /** Null where nothing is searched. */
  readonly found: FoundIds | null;
}

/** Looks up what a query of the list asks for. */
export class ColleaguesFilter {
  readonly #deps: ColleaguesFilterDeps;

  constructor(deps: ColleaguesFilterDeps) {
    this.#deps = deps;
  }

  async asked(tx: Tx, viewer: Viewer, query: ColleaguesQuery): Promise<Asked> {
    const q = query.q?.trim() ?? "";
    const filter = { job: viewer.job, ...(await this.#narrowing(tx, viewer, query)) };
    const narrowed = Object.keys(filter).length > 1;
    if (q === "") return { filter, narrowed, found: null };
    return { filter, narrowed, found: await this.#find(tx, viewer, q, hitsNeeded(query, narrowed)) };
  }

  /** The crews of units whose callsign begins so come first, then those whom the name finds. */
  async #find(tx: Tx, { job }: Viewer, q: string, needed: number): Promise<FoundIds> {
    const { search, units } = this.#deps;
    const crew = [...crewsByCallsign(await units.in(tx, [job]), q).keys()];
    // With a crew all hits: who is found by both is counted once.
    const options = { limit: crew.length > 0 ? mostFound : needed, fields: ["name"], visible: repo.foundIn(job) };
    const named = idsOf(await search.find(tx, citizensSearchKind, q, options));
    const ids = [...new Set([...crew, ...named.ids])];
    const rows = await repo.peopleOf(tx, job, ids);
    const all = ids.flatMap((id) => rows.get(id)?.id ?? []);
    return { ...named, ids: all, total: named.total + all.length - named.ids.length };
  }

  async #narrowing(
    tx: Tx,
    viewer: Viewer,
    { label, fromGrade, belowGrade, duty, absent }: ColleaguesQuery,
  ): Promise<Omit<repo.PeopleFilter, "job">> {
    const reach = reachOfField(viewer, "labels");
    if (label !== undefined && reachesNobody(reach)) throw fieldHidden(viewer, colleaguesPermissions.view.id, "labels");
    const now = this.#deps.clock.now();
    const onDuty = duty === undefined ? [] : (await this.#deps.duty.in(tx, [viewer.job])).map(({ citizenId }) => citizenId);
    const away = absent === undefined ? [] : await this.#absent(tx, viewer, now);
    return {
      ...(fromGrade === undefined ? {} : { fromGrade }),
      ...(belowGrade === undefined ? {} : { belowGrade }),
      ...(label === undefined ? {} : { labels: { ids: labelIds(label), now, by: { characterId: viewer.characterId, reach } } }),
      ...bothOf(duty === "on" ? onDuty : null, absent === "yes" ? away : null),
      ...(duty === "off" || absent === "no"
        ? { notCitizenIds: [...(duty === "off" ? onDuty : []), ...(absent === "no" ? away : [])] }
        : {}),
    };
  }

  async #absent(tx: Tx, viewer: Viewer, now: number): Promise<number[]> {
    const permission = absencesPermissions.list.id;
    if (!viewer.rights.has(permission))
      throw new AppError(colleaguesErrors.absencesHidden, { params: { permission, job: viewer.job } });
    return (await this.#deps.absences.in(tx, viewer.job, now)).map(({ citizenId }) => citizenId);
  }
}

/** Each once. */
const labelIds = (asked: string): number[] => [...new Set(asked.split(",").map(Number))];

/** Who is in each of the lists that narrow; null narrows nothing. */
function bothOf(one: readonly number[] | null, other: readonly number[] | null): { citizenIds?: number[] } {
  if (one === null && other === null) return {};
  if (one === null || other === null) return { citizenIds: [...(one ?? other ?? [])] };
  const all = new Set(other);
  return { citizenIds: one.filter((id) => all.has(id)) };
}
