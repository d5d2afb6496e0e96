import type { Viewer } from "#core/actor.ts";
import type { Page, SearchEntry } from "#core/contract/index.ts";
import { readCursor, writeCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Database, Search, Tx } from "#core/ports/index.ts";
import {
  citizenIdentifier,
  citizenIdentifiers,
  citizenIds,
  citizenNames,
  citizensSearchKind,
} from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type Vehicle, vehiclesErrors, vehiclesPermissions } from "./vehicles.contract.ts";
import { plateKey, seesOwner, wholeVehicle, withoutOwner } from "./vehicles.policy.ts";
import {
  countRows,
  idsOfOwners,
  type ListFilter,
  listRows,
  ownersOf,
  removeDeleted,
  type VehicleSource,
} from "./vehicles.repo.ts";
import { searchKind } from "./vehicles.sync.service.ts";

const mostHits = 200;
/** People looked at when an owner's name is searched. */
const mostOwners = 25;
const mostCounted = 1000;

export interface VehiclesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly search: Search;
  readonly jobs: JobsApi;
  readonly modelColumn: string | null;
}

export interface ListQuery {
  readonly q?: string;
  readonly ownerId?: number;
  readonly job?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export function createVehiclesService(deps: VehiclesDeps) {
  async function shape(tx: Tx, viewer: Viewer, rows: readonly VehicleSource[]): Promise<Vehicle[]> {
    const owner = seesOwner(viewer.rights);
    const owners = owner
      ? await citizenNames(tx, [...new Set(rows.flatMap((row) => row.owner_identifier ?? []))])
      : new Map<string, never>();
    const context = { owners, labels: await deps.jobs.labels(tx), modelOff: deps.modelColumn === null };
    return rows.map((row) => (owner ? wholeVehicle(row, context) : withoutOwner(wholeVehicle(row, context))));
  }

  /** By plate and model, then by the owner's name where the viewer sees owners; best first. */
  async function found(tx: Tx, viewer: Viewer, q: string): Promise<number[]> {
    const fields = deps.modelColumn === "model" ? ["plate", "model"] : ["plate"];
    const own = await deps.search.find(tx, searchKind, q, { limit: mostHits, fields });
    const ids = own.map(({ id }) => id);
    if (!seesOwner(viewer.rights)) return ids;
    const owners = await deps.search.find(tx, citizensSearchKind, q, { limit: mostOwners, fields: ["name"] });
    const identifiers = await citizenIdentifiers(
      tx,
      owners.map(({ id }) => id),
    );
    return [...new Set([...ids, ...(await idsOfOwners(tx, identifiers, mostHits))])].slice(0, mostHits);
  }

  async function list(viewer: Viewer, query: ListQuery): Promise<Page<Vehicle>> {
    if (query.ownerId !== undefined && !seesOwner(viewer.rights)) throw ownerHidden(viewer);
    return await deps.db.read("vehicles.list", async (tx) => {
      const owner = query.ownerId === undefined ? undefined : ((await citizenIdentifier(tx, query.ownerId)) ?? "\0");
      const q = query.q?.trim() ?? "";
      const ids = q === "" ? undefined : await found(tx, viewer, q);
      const filter: ListFilter = {
        ...(ids === undefined ? {} : { ids }),
        ...(owner === undefined ? {} : { owner }),
        ...(query.job === undefined ? {} : { job: query.job }),
      };
      const page = ids === undefined ? await keysetPage(tx, filter, query) : await rankedPage(tx, filter, ids);
      return { ...page, items: await shape(tx, viewer, page.items) };
    });
  }

  async function rankedPage(tx: Tx, filter: ListFilter, ids: readonly number[]): Promise<Page<VehicleSource>> {
    if (ids.length === 0) return { items: [], next: null, total: 0, totalCapped: false };
    const rank = new Map(ids.map((id, i) => [id, i]));
    const items = await listRows(tx, filter, deps.modelColumn, mostHits);
    items.sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0));
    return { items, next: null, total: items.length, totalCapped: ids.length >= mostHits };
  }

  async function keysetPage(tx: Tx, filter: ListFilter, query: ListQuery): Promise<Page<VehicleSource>> {
    const limit = query.limit ?? 50;
    const after = query.cursor === undefined ? undefined : readCursor(query.cursor);
    const rows = await listRows(tx, after ? { ...filter, after } : filter, deps.modelColumn, limit + 1);
    const total = await countRows(tx, filter, mostCounted + 1);
    const items = rows.slice(0, limit);
    const last = items.at(-1);
    return {
      items,
      next: rows.length > limit && last ? writeCursor({ key: last.plate_key, id: last.id }) : null,
      total: Math.min(total, mostCounted),
      totalCapped: total > mostCounted,
    };
  }

  function ownerHidden(viewer: Viewer): AppError {
    return new AppError(vehiclesErrors.fieldHidden, {
      params: { permission: vehiclesPermissions.list.id, field: "owner", job: viewer.job },
    });
  }

  return {
    list,

    async get(viewer: Viewer, id: number): Promise<Vehicle> {
      return await deps.db.read("vehicles.get", async (tx) => {
        const rows = await listRows(tx, { ids: [id] }, deps.modelColumn, 1);
        const [vehicle] = await shape(tx, viewer, rows);
        if (!vehicle) throw new AppError(vehiclesErrors.notFound);
        return vehicle;
      });
    },

    /** For the list of citizens: owners of vehicles whose plate contains this. */
    async ownersByPlate(tx: Tx, viewer: Viewer, plate: string, limit: number): Promise<number[]> {
      if (!viewer.rights.has(vehiclesPermissions.list.id) || !seesOwner(viewer.rights)) throw ownerHidden(viewer);
      const hits = await deps.search.find(tx, searchKind, plate, { limit: mostHits, fields: ["plate"] });
      const wanted = plateKey(plate);
      const rows = await listRows(tx, { ids: hits.map(({ id }) => id) }, deps.modelColumn, mostHits);
      const exact = rows.filter((row) => row.plate_key.includes(wanted)).map((row) => row.id);
      return (await citizenIds(tx, await ownersOf(tx, exact))).slice(0, limit);
    },

    /** For the global search. */
    async find(viewer: Viewer, q: string, limit: number): Promise<SearchEntry[]> {
      if (!viewer.rights.has(vehiclesPermissions.list.id)) return [];
      const { items } = await list(viewer, { q });
      return items.slice(0, limit).map((vehicle, i) => ({
        id: vehicle.id,
        ref: vehicle.plate,
        title: vehicle.plate,
        subtitle: [vehicle.model, vehicle.owner?.name].filter(Boolean).join(" · ") || null,
        score: 1 - i / mostHits,
      }));
    },

    removeDeleted,
  };
}

export type VehiclesService = ReturnType<typeof createVehiclesService>;
