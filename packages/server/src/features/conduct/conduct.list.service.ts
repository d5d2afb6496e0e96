import type { Viewer } from "#core/actor.ts";
import { type InputOf, mostCounted, type OutputOf, type Page } from "#core/contract/index.ts";
import { readCursor } from "#core/cursor.ts";
import { idCursor, keysetPage } from "#core/paging.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { ConductEntry } from "./conduct.base.contract.ts";
import type { getPoints, listEntries, listOwnEntries } from "./conduct.contract.ts";
import { registerOf } from "./conduct.policy.ts";
import * as repo from "./conduct.repo.ts";
import type { ShownEntries } from "./conduct.shown.service.ts";

export interface ConductListsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly shown: ShownEntries;
}

type Query = InputOf<typeof listEntries>["query"];

const usualLimit = 50;
const nothing = { negative: 0, positive: 0 };
const after = (cursor: string | undefined) => (cursor === undefined ? null : readCursor(cursor).id);

/** Entries as people read them. */
export class ConductLists {
  readonly #deps: ConductListsDeps;

  constructor(deps: ConductListsDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer, query: Query): Promise<Page<ConductEntry>> {
    return await this.#deps.db.read("conduct.list", async (tx) => {
      const count = await this.count(tx, viewer, query, mostCounted + 1);
      return await this.#page(tx, viewer, query, count);
    });
  }

  /** For the export: a page without its total. */
  async exported(tx: Tx, viewer: Viewer, query: Query): Promise<Page<ConductEntry>> {
    return await this.#page(tx, viewer, query, 0);
  }

  /** How many match, counted up to `cap`. */
  async count(tx: Tx, viewer: Viewer, query: repo.Narrowing, cap: number): Promise<number> {
    const { clock, shown } = this.#deps;
    return await repo.countRows(tx, shown.reader(viewer), query, cap, clock.now());
  }

  async own(
    viewer: Viewer,
    { cursor, limit = usualLimit }: InputOf<typeof listOwnEntries>["query"],
  ): Promise<OutputOf<typeof listOwnEntries>> {
    const { db, clock, shown } = this.#deps;
    const { job, characterId } = viewer;
    return await db.read("conduct.own", async (tx) => {
      const reader = shown.reader(viewer);
      const rows = await repo.ownRows(tx, reader, { after: after(cursor), limit: limit + 1 });
      const count = await repo.countOwn(tx, reader, mostCounted + 1);
      const page = keysetPage({ rows, limit, count, cursorOf: idCursor });
      return {
        ...page,
        items: await shown.shown(tx, viewer, page.items),
        points: (await repo.pointsOf(tx, job, [characterId], clock.now())).get(characterId) ?? nothing,
        waiting: await repo.countWaiting(tx, reader, mostCounted),
      };
    });
  }

  /** The sum of a person is a count of entries, so only those who see all of them get it. */
  async points(viewer: Viewer, id: number): Promise<OutputOf<typeof getPoints>> {
    const { db, clock } = this.#deps;
    if (registerOf(viewer) !== "all") return { points: null };
    return await db.read("conduct.points", async (tx) => ({
      points: (await repo.pointsOf(tx, viewer.job, [id], clock.now())).get(id) ?? nothing,
    }));
  }

  async get(viewer: Viewer, id: number): Promise<ConductEntry> {
    const { db, shown } = this.#deps;
    return await db.read("conduct.get", async (tx) => {
      const row = await shown.readable(tx, viewer, id);
      return (await shown.shown(tx, viewer, [row]))[0]!;
    });
  }

  async #page(tx: Tx, viewer: Viewer, query: Query, count: number): Promise<Page<ConductEntry>> {
    const { clock, shown } = this.#deps;
    const { cursor, limit = usualLimit } = query;
    const place = { after: after(cursor), limit: limit + 1 };
    const rows = await repo.listRows(tx, shown.reader(viewer), query, place, clock.now());
    const page = keysetPage({ rows, limit, count, cursorOf: idCursor });
    return { ...page, items: await shown.shown(tx, viewer, page.items) };
  }
}
