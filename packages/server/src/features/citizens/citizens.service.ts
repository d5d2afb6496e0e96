import type { Viewer } from "#core/actor.ts";
import type { Page, SearchEntry } from "#core/contract/index.ts";
import { readCursor, writeCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext, Registry } from "#core/feature.ts";
import type { Clock, Database, Search, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { FileAddress } from "#features/files/files.contract.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { LicencesApi } from "#features/licences/licences.api.ts";
import type { Avatars } from "./citizens.avatar.service.ts";
import type { CharacterRecord, CitizensApi } from "./citizens.api.ts";
import { type Citizen, type CitizenField, citizensErrors, citizensPermissions, type CitizenRow } from "./citizens.contract.ts";
import {
  cut,
  disabledFields,
  hiddenFields,
  visibleFields,
  type VisibleFields,
  wholeCitizen,
  wholeRow,
} from "./citizens.policy.ts";
import { digitsOf } from "./citizens.record.policy.ts";
import {
  type CitizenSource,
  type CustomColumns,
  countRows,
  type ListFilter,
  listByLicence,
  listRows,
  purge,
  readDetails,
} from "./citizens.repo.ts";
import { citizensSearchKind } from "./citizens.reads.ts";

const mostHits = 200;
const mostCounted = 1000;

export interface CitizensDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly search: Search;
  readonly audit: AuditApi;
  readonly jobs: JobsApi;
  readonly licences: LicencesApi;
  readonly custom: CustomColumns;
  readonly filterEmptyName: boolean;
  readonly registry: Registry;
  readonly avatars: Avatars;
}

export interface ListQuery {
  readonly q?: string;
  readonly dateOfBirth?: string;
  readonly phone?: string;
  readonly plate?: string;
  readonly job?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

const withAvatar = (avatar: FileAddress | undefined) => (avatar === undefined ? {} : { avatar });

/** Job and birth date leave few enough to look at every number; a ranked search would cut before them. */
function narrowed(query: ListQuery): boolean {
  return query.job !== undefined || query.dateOfBirth !== undefined;
}

export function createCitizensService(deps: CitizensDeps) {
  const disabled = disabledFields(deps.custom);
  const fieldsOf = (viewer: Viewer) => visibleFields(viewer.rights, disabled);

  function needField(viewer: Viewer, fields: VisibleFields, field: CitizenField): void {
    if (fields.has(field)) return;
    throw new AppError(citizensErrors.fieldHidden, {
      params: { permission: citizensPermissions.list.id, field, job: viewer.job },
    });
  }

  /** Ids that the searching filters leave, best first; null when none of them is set. */
  async function searched(tx: Tx, viewer: Viewer, query: ListQuery, fields: VisibleFields): Promise<number[] | null> {
    const lists: number[][] = [];
    const q = query.q?.trim() ?? "";
    const ref = /^cit-?(\d{1,15})$/i.exec(q);
    if (ref) lists.push([Number(ref[1])]);
    else if (q !== "") {
      const among = fields.has("phone") ? ["name", "phone"] : ["name"];
      lists.push((await deps.search.find(tx, citizensSearchKind, q, { limit: mostHits, fields: among })).map(({ id }) => id));
    }
    if (query.phone !== undefined && !narrowed(query)) {
      lists.push(
        (await deps.search.find(tx, citizensSearchKind, query.phone, { limit: mostHits, fields: ["phone"] })).map(({ id }) => id),
      );
    }
    if (query.plate !== undefined) {
      const filter = deps.registry.listFilters("citizens").find(({ name }) => name === "plate");
      lists.push((await filter?.ids(tx, viewer, query.plate, mostHits)) ?? []);
    }
    const [first, ...rest] = lists;
    if (!first) return null;
    return first.filter((id) => rest.every((list) => list.includes(id)));
  }

  async function list(viewer: Viewer, query: ListQuery): Promise<Page<CitizenRow>> {
    const fields = fieldsOf(viewer);
    if (query.phone !== undefined) needField(viewer, fields, "phone");
    if (query.job !== undefined) needField(viewer, fields, "job");
    const limit = query.limit ?? 50;
    return await deps.db.read("citizens.list", async (tx) => {
      const ids = await searched(tx, viewer, query, fields);
      const digits = query.phone === undefined ? "" : digitsOf(query.phone);
      const filter: ListFilter = {
        filterEmptyName: deps.filterEmptyName,
        ...(ids === null ? {} : { ids }),
        ...(query.dateOfBirth === undefined ? {} : { dateOfBirth: query.dateOfBirth }),
        ...(query.job === undefined ? {} : { job: query.job }),
        ...(digits === "" ? {} : { phoneDigits: digits }),
      };
      const page = ids === null ? await keysetPage(tx, filter, query.cursor, limit) : await rankedPage(tx, filter, ids);
      const labels = await deps.jobs.labels(tx);
      const avatars = await deps.avatars.of(
        tx,
        viewer,
        page.items.map(({ id }) => id),
      );
      const items = page.items.map((row) => ({
        ...cut(wholeRow(row, labels, disabled), fields),
        ...withAvatar(avatars.get(row.id)),
      }));
      return { ...page, items };
    });
  }

  async function rankedPage(tx: Tx, filter: ListFilter, ids: readonly number[]): Promise<Page<CitizenSource>> {
    if (ids.length === 0) return { items: [], next: null, total: 0, totalCapped: false };
    const rank = new Map(ids.map((id, i) => [id, i]));
    const items = await listRows(tx, filter, deps.custom, mostHits);
    items.sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0));
    return { items, next: null, total: items.length, totalCapped: ids.length >= mostHits };
  }

  async function keysetPage(tx: Tx, filter: ListFilter, cursor: string | undefined, limit: number): Promise<Page<CitizenSource>> {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const rows = await listRows(tx, after ? { ...filter, after } : filter, deps.custom, limit + 1);
    const total = await countRows(tx, filter, mostCounted + 1);
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return {
      items,
      next: rows.length > limit && last ? writeCursor({ key: last.name_key, id: last.id }) : null,
      total: Math.min(total, mostCounted),
      totalCapped: total > mostCounted,
    };
  }

  async function one(tx: Tx, id: number): Promise<CitizenSource | null> {
    const [row] = await listRows(tx, { ids: [id], filterEmptyName: deps.filterEmptyName }, deps.custom, 1);
    return row ?? null;
  }

  async function get(call: CallContext, id: number): Promise<Citizen> {
    const viewer = call.viewer();
    const fields = fieldsOf(viewer);
    const found = await deps.db.read("citizens.get", async (tx) => {
      const row = await one(tx, id);
      if (!row) throw new AppError(citizensErrors.notFound);
      const details = await readDetails(tx, id);
      const citizen = wholeCitizen(
        row,
        details,
        await deps.jobs.labels(tx),
        await deps.licences.labels(tx, details.licences),
        disabled,
      );
      const avatar = (await deps.avatars.of(tx, viewer, [id])).get(id);
      return { ...cut(citizen, fields), ...withAvatar(avatar), hidden: hiddenFields(fields, disabled) };
    });
    // Looking at oneself is nobody's business.
    if (id !== viewer.characterId) {
      const name = `${found.firstName} ${found.lastName}`.trim();
      const target = { kind: "citizen", id, name } as const;
      await deps.audit.noteView(call.actor, { action: "citizens.view", object: target, target });
    }
    return found;
  }

  async function characterOf(tx: Tx, row: CitizenSource): Promise<CharacterRecord> {
    const labels = await deps.jobs.labels(tx);
    return {
      id: row.id,
      licence: row.licence,
      firstName: row.first_name,
      lastName: row.last_name,
      dateOfBirth: row.date_of_birth,
      sex: row.sex,
      job: labels.badge(row.job, row.grade),
    };
  }

  const api: CitizensApi = {
    async charactersOf(tx, licence) {
      if (licence === "") return [];
      const ids = await listByLicence(tx, licence);
      const rows = await listRows(tx, { ids, filterEmptyName: false }, deps.custom, 50);
      return await Promise.all(rows.map(async (row) => await characterOf(tx, row)));
    },
    async character(tx, id) {
      const [row] = await listRows(tx, { ids: [id], filterEmptyName: false }, deps.custom, 1);
      return row ? await characterOf(tx, row) : null;
    },
  };

  /** For the global search. */
  async function find(viewer: Viewer, q: string, limit: number): Promise<SearchEntry[]> {
    if (!viewer.rights.has(citizensPermissions.list.id)) return [];
    const { items } = await list(viewer, { q });
    return items.slice(0, limit).map((row, i) => ({
      id: row.id,
      ref: `CIT-${row.id}`,
      title: `${row.firstName} ${row.lastName}`.trim(),
      subtitle: row.job ? `${row.job.label}, ${row.job.gradeLabel}` : row.dateOfBirth,
      score: 1 - i / mostHits,
    }));
  }

  /** For good, with what their players uploaded. */
  async function removeDeleted(tx: Tx, before: number, limit: number): Promise<number> {
    const ids = await purge(tx, before, limit);
    await deps.avatars.forget(tx, ids);
    return ids.length;
  }

  return { api, list, get, find, removeDeleted, fieldsOf };
}

export type CitizensService = ReturnType<typeof createCitizensService>;
