import type { Viewer } from "#core/actor.ts";
import { guardErrors, type InputOf, type Page, readOrder, type SearchEntry } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Registry } from "#core/feature.ts";
import { type FoundIds, foundIds, hitsNeeded, idsOf, readFound } from "#core/found.ts";
import { mostFound, readPage } from "#core/paging.ts";
import type { Database, Search, SearchHit, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { type JobsApi, namesOfBadge } from "#features/jobs/jobs.api.ts";
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
import { countRows, fewMatching, type ListFilter } from "./citizens.filter.repo.ts";
import { type CustomColumns, listRows } from "./citizens.repo.ts";
import { citizensSearchKind } from "./citizens.reads.ts";
import { citizensList } from "./citizens.schema.ts";

export interface CitizensListDeps {
  readonly db: Database;
  readonly search: Search;
  readonly audit: AuditApi;
  readonly jobs: JobsApi;
  readonly custom: CustomColumns;
  readonly filterEmptyName: boolean;
  readonly registry: Registry;
  readonly avatars: AvatarsService;
}

export type ListQuery = InputOf<typeof listCitizens>["query"];

/** What a query asks for, with its search looked up. */
interface Asked {
  /** With the ids of all who match, where these are few. */
  readonly filter: ListFilter;
  /** Null where nothing is searched. */
  readonly found: FoundIds | null;
}

/** Without limits and order: what decides whether a citizen is in the list at all, besides the search. */
const narrows = ({ filterEmptyName, ...others }: ListFilter) => filterEmptyName || Object.keys(others).length > 0;

const searchedOf = (fields: VisibleFields) => (fields.has("phone") ? ["name", "phone"] : ["name"]);

/** Of a short id like `CIT-12`. */
function idOf(q: string): number | null {
  const ref = /^cit[-\s]?(\d{1,15})$/i.exec(q.trim());
  return ref ? Number(ref[1]) : null;
}

function entryOf(row: CitizenRow): Pick<SearchEntry, "ref" | "title" | "subtitle"> {
  return {
    ref: `CIT-${row.id}`,
    title: `${row.firstName} ${row.lastName}`.trim(),
    subtitle: row.job ? namesOfBadge(row.job).join(", ") : row.dateOfBirth,
  };
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

function phoneWithoutDigit(): AppError {
  const problem = "has no digit: type a part of a phone number";
  return new AppError(guardErrors.invalidInput, { params: { field: "query.phone", problem } });
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
    const found = await db.read("citizens.list", async (tx) => {
      const asked = await this.#asked(tx, viewer, query);
      const page = await this.#read(tx, viewer, query, asked, async (cap) => await this.#count(tx, asked, cap));
      const shown = page.items.map(({ id }) => id);
      const avatars = await allAvatars.of(tx, viewer, shown);
      return { ...page, items: page.items.map((row) => ({ ...row, ...withAvatar(avatars.get(row.id)) })) };
    });
    const [only] = found.items;
    if (found.total === 1 && only !== undefined) await this.noteLookUp(viewer, query, only);
    return found;
  }

  /** Who is the `only` one that a search found was looked up, as if the profile had been opened. */
  async noteLookUp(viewer: Viewer, { q, phone, plate, dateOfBirth }: ListQuery, only: CitizenRow): Promise<void> {
    const searched = [q, phone, plate, dateOfBirth].some((text) => (text ?? "").trim() !== "");
    if (searched) await this.#note(viewer, only.id, `${only.firstName} ${only.lastName}`.trim());
  }

  async #note(viewer: Viewer, id: number, name: string): Promise<void> {
    if (id === viewer.characterId) return;
    const target = { kind: "citizen", id, name } as const;
    await this.#deps.audit.noteView({ kind: "character", ...viewer }, { action: "citizens.view", object: target, target });
  }

  /** Which restricted fields a viewer sees. */
  fieldsOf({ rights }: Pick<Viewer, "rights">): VisibleFields {
    return visibleFields(rights, this.#disabled);
  }

  /** For the export: a page without its total and without pictures. */
  async exported(tx: Tx, viewer: Viewer, query: ListQuery, changedUntil: number) {
    return await this.#read(tx, viewer, query, await this.#asked(tx, viewer, query, changedUntil), async () => 0);
  }

  /** For the export: how many citizens match, counted up to `cap`. */
  async count(tx: Tx, viewer: Viewer, query: ListQuery, changedUntil: number, cap: number): Promise<number> {
    return await this.#count(tx, await this.#asked(tx, viewer, { ...query, limit: mostFound }, changedUntil), cap);
  }

  /** A citizen that changes meanwhile would otherwise be written again and again. */
  #bound({ order }: ListQuery, changedUntil: number): Pick<ListFilter, "changedUntil"> {
    return order !== undefined && readOrder(order).name === "updatedAt" ? { changedUntil } : {};
  }

  async #count(tx: Tx, { filter, found }: Asked, cap: number): Promise<number> {
    if (found) return await countRows(tx, { ...filter, ids: found.ids }, cap);
    return filter.ids ? Math.min(filter.ids.length, cap) : await countRows(tx, filter, cap);
  }

  async #read(
    tx: Tx,
    viewer: Viewer,
    query: ListQuery,
    { filter, found }: Asked,
    count: (cap: number) => Promise<number>,
  ): Promise<Page<CitizenRow>> {
    const { custom, jobs } = this.#deps;
    const page = found
      ? await readFound(
          citizensList,
          query,
          found,
          async (ids, position, limit) => await listRows(tx, { ...filter, ids }, custom, { position, limit }),
          { isNarrowed: narrows(filter) },
        )
      : await readPage(citizensList, query, {
          rows: async (position, limit) => await listRows(tx, filter, custom, { position, limit }),
          count,
        });
    const labels = await jobs.labels(tx);
    const fields = this.fieldsOf(viewer);
    return { ...page, items: page.items.map((row) => cut(toFullRow(row, labels, this.#disabled), fields)) };
  }

  /** Throws when the viewer may not filter or order by a field. */
  async #asked(tx: Tx, viewer: Viewer, query: ListQuery, changedUntil?: number): Promise<Asked> {
    const fields = this.fieldsOf(viewer);
    if (query.phone !== undefined) requireField(viewer, fields, "phone");
    if (query.job !== undefined) requireField(viewer, fields, "job");
    this.#requireOrder(viewer, fields, query);
    const phone = query.phone?.trim() ?? "";
    const digits = digitsOf(phone);
    if (phone !== "" && digits === "") throw phoneWithoutDigit();
    const filter = {
      filterEmptyName: this.#deps.filterEmptyName,
      ...(query.dateOfBirth === undefined ? {} : { dateOfBirth: query.dateOfBirth }),
      ...(query.job === undefined ? {} : { job: query.job }),
      ...(digits === "" ? {} : { phone: { digits, among: this.#deps.search.containing(citizensSearchKind, digits) } }),
      ...(changedUntil === undefined ? {} : this.#bound(query, changedUntil)),
    };
    const found = await this.#found(tx, viewer, query, fields, narrows(filter));
    const ids = found ? null : await fewMatching(tx, filter);
    return { filter: ids ? { filterEmptyName: filter.filterEmptyName, ids } : filter, found };
  }

  /** For the global search. */
  async find(viewer: Viewer, q: string, limit: number): Promise<SearchEntry[]> {
    if (!viewer.rights.has(citizensPermissions.list.id)) return [];
    const { db, search } = this.#deps;
    const fields = this.fieldsOf(viewer);
    const found = await db.read("citizens.search", async (tx) => {
      const id = idOf(q);
      const hits: readonly SearchHit[] =
        id === null
          ? (await search.find(tx, citizensSearchKind, q, { limit, fields: searchedOf(fields) })).hits
          : [{ id, match: "whole", score: 1 }];
      const asked = { filter: { filterEmptyName: this.#deps.filterEmptyName }, found: foundIds(hits.map((hit) => hit.id)) };
      const { items } = await this.#read(tx, viewer, { limit: mostFound }, asked, async () => 0);
      const byId = new Map(items.map((row) => [row.id, row]));
      return hits.flatMap((hit) => {
        const row = byId.get(hit.id);
        return row ? [{ ...hit, ...entryOf(row) }] : [];
      });
    });
    const [only] = found;
    if (found.length === 1 && only !== undefined) await this.#note(viewer, only.id, only.title);
    return found;
  }

  /** Who is found by the filters that search, best first; null when none of these is set. */
  async #found(tx: Tx, viewer: Viewer, query: ListQuery, fields: VisibleFields, isNarrowed: boolean): Promise<FoundIds | null> {
    const q = query.q?.trim() ?? "";
    const plate = query.plate?.trim() ?? "";
    const owners = plate === "" ? null : await this.#ownersOf(tx, viewer, plate);
    if (q === "") return owners && foundIds(owners);
    const id = idOf(q);
    const limit = hitsNeeded(query, owners !== null || isNarrowed);
    const found = id !== null ? foundIds([id]) : await this.#hits(tx, q, fields, limit);
    if (owners === null) return found;
    const both = found.ids.filter((id) => owners.includes(id));
    return { ids: both, total: both.length, isMore: found.isMore };
  }

  async #hits(tx: Tx, text: string, fields: VisibleFields, limit: number): Promise<FoundIds> {
    return idsOf(await this.#deps.search.find(tx, citizensSearchKind, text, { limit, fields: searchedOf(fields) }));
  }

  async #ownersOf(tx: Tx, viewer: Viewer, plate: string): Promise<readonly number[]> {
    const filter = this.#deps.registry.listFilters("citizens").find(({ name }) => name === "plate");
    return (await filter?.ids(tx, viewer, plate, mostFound)) ?? [];
  }

  /** What a viewer does not see can be read off the order of the rows as well. */
  #requireOrder(viewer: Viewer, fields: VisibleFields, { order }: ListQuery): void {
    if (order === undefined || readOrder(order).name !== "visum") return;
    if (this.#deps.custom.visum !== "visum") throw movedOrder(order);
    requireField(viewer, fields, "visum");
  }
}
