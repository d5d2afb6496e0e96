import type { Viewer } from "#core/actor.ts";
import type { InputOf, OutputOf, Page, SearchEntry } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type FoundIds, foundIds, hitsNeeded, idsOf, readFound } from "#core/found.ts";
import { invalid } from "#core/invalid.ts";
import { mostFound, readPage } from "#core/paging.ts";
import type { Database, Search, SearchHit, Tx } from "#core/ports/index.ts";
import { isDay, type Zone } from "#core/zone.ts";
import { type Call, type CallDetail, callsErrors, callsPermissions } from "./calls.base.contract.ts";
import { type listCalls, type listOwnCalls, type listPresent, mostPresent } from "./calls.contract.ts";
import { callsSearchKind } from "./calls.policy.ts";
import { idOfRef, refOf } from "./calls.ref.contract.ts";
import * as repo from "./calls.repo.ts";
import { callsList } from "./calls.schema.ts";
import type { ShownCalls } from "./calls.shown.service.ts";
import { rulesOfRow } from "./calls.types.policy.ts";
import * as types from "./calls.types.repo.ts";
import type { WorkOfCalls } from "./calls.work.service.ts";

export interface ListDeps {
  readonly db: Database;
  readonly search: Search;
  readonly shown: ShownCalls;
  readonly work: Pick<WorkOfCalls, "ofUnit">;
  readonly zone: Zone;
}

export type CallsQuery = InputOf<typeof listCalls>["query"];

/** Calls of a unit that are searched: its latest ones. */
const mostOfUnit = 5_000;
/** Own calls in one answer. */
const mostOwn = 20;

function requireDay(name: string, day: string): string {
  if (!isDay(day)) throw invalid(`query.${name}`, "must be a day that is in the calendar");
  return day;
}

/** Calls as viewers find them. */
export class CallLists {
  readonly #deps: ListDeps;

  constructor(deps: ListDeps) {
    this.#deps = deps;
  }

  async present(viewer: Viewer): Promise<OutputOf<typeof listPresent>> {
    const { db, shown } = this.#deps;
    return await db.read("calls.present", async (tx) => {
      const seeing = await shown.seeing(tx, viewer);
      const rows = await repo.presentRows(tx, seeing, mostPresent);
      const open = await repo.countOpen(tx, seeing);
      const { waitSeconds } = rulesOfRow((await types.rulesOf(tx, [viewer.job])).get(viewer.job));
      return { items: await shown.rows(tx, viewer, rows), open, waitSeconds };
    });
  }

  async own(viewer: Viewer): Promise<OutputOf<typeof listOwnCalls>> {
    const { db, shown } = this.#deps;
    return await db.read("calls.own", async (tx) => {
      return { items: await shown.rows(tx, viewer, await repo.ownRows(tx, viewer.characterId, mostOwn)) };
    });
  }

  async get(viewer: Viewer, id: number): Promise<CallDetail> {
    const { db, shown } = this.#deps;
    return await db.read("calls.get", async (tx) => {
      const row = await repo.find(tx, id);
      const as = row === null ? null : await shown.standingOf(tx, viewer, row);
      if (row === null || as === null) throw new AppError(callsErrors.notFound);
      return await shown.detail(tx, viewer, row, as);
    });
  }

  async list(viewer: Viewer, query: CallsQuery): Promise<Page<Call>> {
    return await this.#deps.db.read("calls.list", async (tx) => {
      return await this.#page(tx, viewer, query, await this.#deps.shown.seeing(tx, viewer));
    });
  }

  /** In the unit of work of an export; its file stays when an assignment has ended. */
  async exported(tx: Tx, viewer: Viewer, query: CallsQuery): Promise<Page<Call>> {
    return await this.#page(tx, viewer, query, this.#deps.shown.byJob(viewer));
  }

  async #page(tx: Tx, viewer: Viewer, query: CallsQuery, seeing: repo.Seeing): Promise<Page<Call>> {
    const { shown } = this.#deps;
    const filter = await this.#filterOf(tx, query);
    const isNarrowed = Object.keys(filter).length > 0;
    const found = await this.#found(tx, seeing, query, isNarrowed);
    const page = found
      ? await readFound(
          callsList,
          query,
          found,
          async (ids, position, limit) => await repo.listRows(tx, seeing, { ...filter, ids }, { position, limit }),
          { isNarrowed },
        )
      : await readPage(callsList, query, {
          rows: async (position, limit) => await repo.listRows(tx, seeing, filter, { position, limit }),
          count: async (cap) => await repo.countRows(tx, seeing, filter, cap),
        });
    return { ...page, items: await shown.rows(tx, viewer, page.items) };
  }

  async count(tx: Tx, viewer: Viewer, query: CallsQuery, cap: number): Promise<number> {
    const filter = await this.#filterOf(tx, query);
    const seeing = this.#deps.shown.byJob(viewer);
    const found = await this.#found(tx, seeing, query, true);
    return await repo.countRows(tx, seeing, found ? { ...filter, ids: found.ids } : filter, cap);
  }

  /** For the global search. */
  async hits(viewer: Viewer, q: string, limit: number): Promise<SearchEntry[]> {
    const { db, search, shown } = this.#deps;
    if (!viewer.rights.has(callsPermissions.view.id)) return [];
    return await db.read("calls.search", async (tx) => {
      const id = idOfRef(q);
      const seeing = await shown.seeing(tx, viewer);
      const hits: readonly SearchHit[] =
        id === null
          ? (await search.find(tx, callsSearchKind, q, { limit, visible: repo.foundBy(seeing) })).hits
          : [{ id, match: "whole", score: 1 }];
      const filter = { ids: hits.map((hit) => hit.id) };
      const { items } = await readPage(
        callsList,
        { limit: mostFound },
        {
          rows: async (position, most) => await repo.listRows(tx, seeing, filter, { position, limit: most }),
          count: async () => 0,
        },
      );
      const byId = new Map((await shown.rows(tx, viewer, items)).map((call) => [call.id, call]));
      return hits.flatMap((hit) => {
        const call = byId.get(hit.id);
        if (call === undefined) return [];
        const subtitle = [call.type?.name, call.postal].filter(Boolean).join(" · ") || null;
        return [{ ...hit, ref: refOf(call.id), title: call.message, subtitle }];
      });
    });
  }

  /** What a search found, also by number; null where nothing is searched. */
  async #found(tx: Tx, seeing: repo.Seeing, query: CallsQuery, isNarrowed: boolean): Promise<FoundIds | null> {
    const { search } = this.#deps;
    const q = query.q?.trim() ?? "";
    if (q === "") return null;
    const id = idOfRef(q);
    if (id !== null) return foundIds((await repo.countRows(tx, seeing, { ids: [id] }, 1)) === 0 ? [] : [id]);
    const options = { limit: hitsNeeded(query, isNarrowed), visible: repo.foundBy(seeing) };
    return idsOf(await search.find(tx, callsSearchKind, q, options));
  }

  async #filterOf(tx: Tx, { state, typeId, priority, postal, job, unitId, from, until }: CallsQuery): Promise<repo.CallsFilter> {
    const { work, zone } = this.#deps;
    return {
      ...(state === undefined ? {} : { state }),
      ...(typeId === undefined ? {} : { typeId }),
      ...(priority === undefined ? {} : { priority }),
      ...(postal === undefined ? {} : { postal }),
      ...(job === undefined ? {} : { job }),
      ...(unitId === undefined ? {} : { ofUnit: await work.ofUnit(tx, unitId, mostOfUnit) }),
      ...(from === undefined ? {} : { from: zone.startOf(requireDay("from", from)) }),
      ...(until === undefined ? {} : { before: zone.endOf(requireDay("until", until)) }),
    };
  }
}
