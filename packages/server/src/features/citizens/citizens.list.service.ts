import type { Viewer } from "#core/actor.ts";
import { guardErrors, type InputOf, type Page, readOrder, type SearchEntry } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Registry } from "#core/feature.ts";
import { mostFound, readList } from "#core/paging.ts";
import type { Database, Search, Tx } from "#core/ports/index.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { AvatarsService } from "./citizens.avatar.service.ts";
import {
  type CitizenField,
  citizensErrors,
  citizensPermissions,
  type CitizenRow,
  type listCitizens,
} from "./citizens.contract.ts";
import { cut, disabledFields, toFullRow, visibleFields, type VisibleFields, withAvatar } from "./citizens.policy.ts";
import { digitsOf } from "./citizens.record.policy.ts";
import { type CustomColumns, countRows, type ListFilter, listRows } from "./citizens.repo.ts";
import { citizensSearchKind } from "./citizens.reads.ts";
import { citizensList } from "./citizens.schema.ts";

export interface CitizensListDeps {
  readonly db: Database;
  readonly search: Search;
  readonly jobs: JobsApi;
  readonly custom: CustomColumns;
  readonly filterEmptyName: boolean;
  readonly registry: Registry;
  readonly avatars: AvatarsService;
}

export type ListQuery = InputOf<typeof listCitizens>["query"];

/** Job and birth date leave so few rows that every number can be compared; a ranked search would cut off before them. */
function narrowed(query: ListQuery): boolean {
  return query.job !== undefined || query.dateOfBirth !== undefined;
}

function requireField(viewer: Viewer, fields: VisibleFields, field: CitizenField): void {
  if (fields.has(field)) return;
  throw new AppError(citizensErrors.fieldHidden, {
    params: { permission: citizensPermissions.list.id, field, job: viewer.job },
  });
}

/** There is no index of the column that `database.custom.columns` names in the place of the field's own. */
function movedOrder(order: string): AppError {
  const problem = `cannot be ${order}: the field is switched off or shows another column (database.custom.columns)`;
  return new AppError(guardErrors.invalidInput, { params: { field: "query.order", problem } });
}

/** Finds citizens: the list of a viewer, and their part of the global search. */
export class CitizensList {
  readonly #deps: CitizensListDeps;
  readonly #disabled: readonly CitizenField[];

  constructor(deps: CitizensListDeps) {
    this.#deps = deps;
    this.#disabled = disabledFields(deps.custom);
  }

  async page(viewer: Viewer, query: ListQuery): Promise<Page<CitizenRow>> {
    const { db, avatars: allAvatars } = this.#deps;
    return await db.read("citizens.list", async (tx) => {
      const filter = await this.#filterOf(tx, viewer, query);
      const page = await this.#read(tx, viewer, query, filter, async (cap) => await countRows(tx, filter, cap));
      const shown = page.items.map(({ id }) => id);
      const avatars = await allAvatars.of(tx, viewer, shown);
      return { ...page, items: page.items.map((row) => ({ ...row, ...withAvatar(avatars.get(row.id)) })) };
    });
  }

  /** Which restricted fields a viewer sees. */
  fieldsOf({ rights }: Pick<Viewer, "rights">): VisibleFields {
    return visibleFields(rights, this.#disabled);
  }

  /** For the export: a page without its total and without pictures. */
  async exported(tx: Tx, viewer: Viewer, query: ListQuery, changedUntil: number) {
    const filter = { ...(await this.#filterOf(tx, viewer, query)), ...this.#bound(query, changedUntil) };
    return await this.#read(tx, viewer, query, filter, async () => 0);
  }

  /** For the export: how many citizens match, counted up to `cap`. */
  async count(tx: Tx, viewer: Viewer, query: ListQuery, changedUntil: number, cap: number): Promise<number> {
    const filter = { ...(await this.#filterOf(tx, viewer, query)), ...this.#bound(query, changedUntil) };
    return await countRows(tx, filter, cap);
  }

  /** A citizen that changes meanwhile would otherwise be written again and again. */
  #bound({ order }: ListQuery, changedUntil: number): Pick<ListFilter, "changedUntil"> {
    return order !== undefined && readOrder(order).name === "updatedAt" ? { changedUntil } : {};
  }

  async #read(
    tx: Tx,
    viewer: Viewer,
    query: ListQuery,
    filter: ListFilter,
    count: (cap: number) => Promise<number>,
  ): Promise<Page<CitizenRow>> {
    const page = await readList(citizensList, query, filter.ids ?? null, {
      rows: async (position, limit) => await listRows(tx, filter, this.#deps.custom, position, limit),
      count,
    });
    const labels = await this.#deps.jobs.labels(tx);
    const fields = this.fieldsOf(viewer);
    return { ...page, items: page.items.map((row) => cut(toFullRow(row, labels, this.#disabled), fields)) };
  }

  /** Throws when the viewer may not filter or order by a field. */
  async #filterOf(tx: Tx, viewer: Viewer, query: ListQuery): Promise<ListFilter> {
    const fields = this.fieldsOf(viewer);
    if (query.phone !== undefined) requireField(viewer, fields, "phone");
    if (query.job !== undefined) requireField(viewer, fields, "job");
    this.#requireOrder(viewer, fields, query);
    const ids = await this.#searched(tx, viewer, query, fields);
    const digits = query.phone === undefined ? "" : digitsOf(query.phone);
    return {
      filterEmptyName: this.#deps.filterEmptyName,
      ...(ids === null ? {} : { ids }),
      ...(query.dateOfBirth === undefined ? {} : { dateOfBirth: query.dateOfBirth }),
      ...(query.job === undefined ? {} : { job: query.job }),
      ...(digits === "" ? {} : { phoneDigits: digits }),
    };
  }

  /** For the global search. */
  async find(viewer: Viewer, q: string, limit: number): Promise<SearchEntry[]> {
    if (!viewer.rights.has(citizensPermissions.list.id)) return [];
    const { items } = await this.page(viewer, { q });
    return items.slice(0, limit).map((row, i) => ({
      id: row.id,
      ref: `CIT-${row.id}`,
      title: `${row.firstName} ${row.lastName}`.trim(),
      subtitle: row.job ? `${row.job.label}, ${row.job.gradeLabel}` : row.dateOfBirth,
      score: 1 - i / mostFound,
    }));
  }

  /** Ids that match the searching filters, best first; null when none of these filters is set. */
  async #searched(tx: Tx, viewer: Viewer, query: ListQuery, fields: VisibleFields): Promise<number[] | null> {
    const { registry } = this.#deps;
    const lists: number[][] = [];
    const q = query.q?.trim() ?? "";
    const ref = /^cit-?(\d{1,15})$/i.exec(q);
    if (ref) lists.push([Number(ref[1])]);
    else if (q !== "") lists.push(await this.#hits(tx, q, fields.has("phone") ? ["name", "phone"] : ["name"]));
    if (query.phone !== undefined && !narrowed(query)) lists.push(await this.#hits(tx, query.phone, ["phone"]));
    if (query.plate !== undefined) {
      const filter = registry.listFilters("citizens").find(({ name }) => name === "plate");
      lists.push((await filter?.ids(tx, viewer, query.plate, mostFound)) ?? []);
    }
    const [first, ...rest] = lists;
    if (!first) return null;
    return first.filter((id) => rest.every((list) => list.includes(id)));
  }

  async #hits(tx: Tx, text: string, fields: readonly string[]): Promise<number[]> {
    return (await this.#deps.search.find(tx, citizensSearchKind, text, { limit: mostFound, fields })).map(({ id }) => id);
  }

  /** What a viewer does not see can be read off the order of the rows as well. */
  #requireOrder(viewer: Viewer, fields: VisibleFields, { order }: ListQuery): void {
    if (order === undefined || readOrder(order).name !== "visum") return;
    if (this.#deps.custom.visum !== "visum") throw movedOrder(order);
    requireField(viewer, fields, "visum");
  }
}
