import { idOfRef } from "#features/calls/calls.contract.ts";
import type { Viewer } from "#core/actor.ts";
import { days, type InputOf, type OutputOf, type Page } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { type FoundIds, foundIds, hitsNeeded, idsOf, readFound } from "#core/found.ts";
import { readPage } from "#core/paging.ts";
import type { Clock, Database, Search, Tx } from "#core/ports/index.ts";
import {
  type getPanicStatistics,
  type listPanics,
  type listPresentPanics,
  mostActive,
  type Panic,
  panicErrors,
  statisticsDays,
} from "./panic.contract.ts";
import type { PanicState } from "./panic.machine.ts";
import { medianOf, panicSearchKind } from "./panic.policy.ts";
import * as repo from "./panic.repo.ts";
import { panicList } from "./panic.schema.ts";
import type { ShownPanics } from "./panic.shown.service.ts";

export interface ListDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly search: Search;
  readonly shown: ShownPanics;
}

export type PanicsQuery = InputOf<typeof listPanics>["query"];

/** Panics as viewers find them. */
export class PanicLists {
  readonly #deps: ListDeps;

  constructor(deps: ListDeps) {
    this.#deps = deps;
  }

  async present(viewer: Viewer): Promise<OutputOf<typeof listPresentPanics>> {
    const { db, shown } = this.#deps;
    return await db.read("panic.present", async (tx) => {
      const onDutyIn = await shown.dutyOf(tx, viewer);
      const active = await repo.activeFor(tx, viewer.job, viewer.characterId, mostActive);
      const rows = await shown.concerning(tx, viewer, active, onDutyIn);
      return { items: await shown.rows(tx, viewer, rows), onDuty: onDutyIn !== null };
    });
  }

  async get(viewer: Viewer, id: number): Promise<Panic> {
    const { db, shown } = this.#deps;
    return await db.read("panic.get", async (tx) => {
      const row = await repo.find(tx, id);
      if (row === null || !(await shown.isSeen(tx, viewer, row))) throw new AppError(panicErrors.notFound);
      return await shown.one(tx, viewer, row);
    });
  }

  async list(viewer: Viewer, query: PanicsQuery): Promise<Page<Panic>> {
    return await this.#deps.db.read("panic.list", async (tx) => await this.page(tx, viewer, query));
  }

  async page(tx: Tx, viewer: Viewer, query: PanicsQuery): Promise<Page<Panic>> {
    const { job } = viewer;
    const filter = filterOf(query);
    const isNarrowed = Object.keys(filter).length > 0;
    const found = await this.#found(tx, job, query, isNarrowed);
    const page = found
      ? await readFound(
          panicList,
          query,
          found,
          async (ids, position, limit) => await repo.listRows(tx, job, { ...filter, ids }, { position, limit }),
          { isNarrowed },
        )
      : await readPage(panicList, query, {
          rows: async (position, limit) => await repo.listRows(tx, job, filter, { position, limit }),
          count: async (cap) => await repo.countRows(tx, job, filter, cap),
        });
    return { ...page, items: await this.#deps.shown.rows(tx, viewer, page.items) };
  }

  async count(tx: Tx, { job }: Viewer, query: PanicsQuery, cap: number): Promise<number> {
    const found = await this.#found(tx, job, query, true);
    return await repo.countRows(tx, job, { ...filterOf(query), ...(found ? { ids: found.ids } : {}) }, cap);
  }

  async statistics({ job }: Viewer): Promise<OutputOf<typeof getPanicStatistics>> {
    const { db, clock } = this.#deps;
    const since = clock.now() - days(statisticsDays);
    return await db.read("panic.statistics", async (tx) => {
      const states = await repo.countStates(tx, job, since);
      const answers = await repo.answersSince(tx, job, since);
      const seconds = answers.flatMap(({ pressed_at: pressed, acknowledged_at: at }) =>
        at === null ? [] : [(at - pressed) / 1000],
      );
      return {
        days: statisticsDays,
        states: states.map(({ state, count }) => ({ state: state as PanicState, count })),
        acknowledged: seconds.length,
        medianSeconds: medianOf(seconds),
        slowestSeconds: seconds.length === 0 ? null : Math.max(...seconds),
        repeated: answers.filter(({ repeats }) => repeats > 0).length,
      };
    });
  }

  /** What a search found, also by the number of the call; null where nothing is searched. */
  async #found(tx: Tx, job: string, query: PanicsQuery, isNarrowed: boolean): Promise<FoundIds | null> {
    const q = query.q?.trim() ?? "";
    if (q === "") return null;
    const callId = idOfRef(q);
    if (callId !== null) return foundIds(await repo.ofCall(tx, job, callId));
    const options = { limit: hitsNeeded(query, isNarrowed), visible: repo.foundBy(job) };
    return idsOf(await this.#deps.search.find(tx, panicSearchKind, q, options));
  }
}

const filterOf = ({ state }: PanicsQuery): repo.PanicFilter => (state === undefined ? {} : { state });
