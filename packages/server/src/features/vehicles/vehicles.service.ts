import type { Viewer } from "#core/actor.ts";
import { guardErrors, type InputOf, type Page, readOrder, type SearchEntry } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { mostFound, readList } from "#core/paging.ts";
import type { Clock, Database, Search, Tx } from "#core/ports/index.ts";
import {
  citizenIdentifier,
  citizenIdentifiers,
  citizenIds,
  citizenNames,
  citizensSearchKind,
} from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type listVehicles, type Vehicle, vehiclesErrors, vehiclesPermissions } from "./vehicles.contract.ts";
import { plateKey, seesOwner, vehiclesSearchKind, wholeVehicle, withoutOwner } from "./vehicles.policy.ts";
import { countRows, idsOfOwners, type ListFilter, listRows, ownersOf, rowsOf, type VehicleSource } from "./vehicles.repo.ts";
import { vehiclesList } from "./vehicles.schema.ts";

/** Citizens considered when an owner's name is searched. */
const mostOwners = 25;

export interface VehiclesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly search: Search;
  readonly jobs: JobsApi;
  readonly modelColumn: string | null;
}

export type ListQuery = InputOf<typeof listVehicles>["query"];

function ownerHidden(viewer: Viewer): AppError {
  return new AppError(vehiclesErrors.fieldHidden, {
    params: { permission: vehiclesPermissions.list.id, field: "owner", job: viewer.job },
  });
}

/** A vehicle that changes meanwhile would otherwise be written again and again. */
function bound({ order }: ListQuery, changedUntil: number): Pick<ListFilter, "changedUntil"> {
  return order !== undefined && readOrder(order).name === "updatedAt" ? { changedUntil } : {};
}

export class VehiclesService {
  readonly #deps: VehiclesDeps;

  constructor(deps: VehiclesDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer, query: ListQuery): Promise<Page<Vehicle>> {
    return await this.#deps.db.read("vehicles.list", async (tx) => {
      const filter = await this.#filterOf(tx, viewer, query);
      return await this.#read(tx, viewer, query, filter, async (cap) => await countRows(tx, filter, cap));
    });
  }

  /** For the export: a page without its total. */
  async exported(tx: Tx, viewer: Viewer, query: ListQuery, changedUntil: number): Promise<Page<Vehicle>> {
    const filter = { ...(await this.#filterOf(tx, viewer, query)), ...bound(query, changedUntil) };
    return await this.#read(tx, viewer, query, filter, async () => 0);
  }

  /** For the export: how many vehicles match, counted up to `cap`. */
  async count(tx: Tx, viewer: Viewer, query: ListQuery, changedUntil: number, cap: number): Promise<number> {
    const filter = { ...(await this.#filterOf(tx, viewer, query)), ...bound(query, changedUntil) };
    return await countRows(tx, filter, cap);
  }

  get showsModel(): boolean {
    return this.#deps.modelColumn !== null;
  }

  async get(viewer: Viewer, id: number): Promise<Vehicle> {
    const { db, modelColumn } = this.#deps;
    return await db.read("vehicles.get", async (tx) => {
      const rows = await rowsOf(tx, [id], modelColumn);
      const [vehicle] = await this.#shape(tx, viewer, rows);
      if (!vehicle) throw new AppError(vehiclesErrors.notFound);
      return vehicle;
    });
  }

  /** For the list of citizens: ids of the owners of vehicles whose plate contains this. */
  async ownersByPlate(tx: Tx, viewer: Viewer, plate: string, limit: number): Promise<number[]> {
    const { search, modelColumn } = this.#deps;
    if (!viewer.rights.has(vehiclesPermissions.list.id) || !seesOwner(viewer.rights)) throw ownerHidden(viewer);
    const hits = await search.find(tx, vehiclesSearchKind, plate, { limit: mostFound, fields: ["plate"] });
    const wanted = plateKey(plate);
    const found = hits.map(({ id }) => id);
    const rows = await rowsOf(tx, found, modelColumn);
    const exact = rows.filter((row) => row.plate_key.includes(wanted)).map((row) => row.id);
    return (await citizenIds(tx, await ownersOf(tx, exact))).slice(0, limit);
  }

  /** For the global search. */
  async find(viewer: Viewer, q: string, limit: number): Promise<SearchEntry[]> {
    if (!viewer.rights.has(vehiclesPermissions.list.id)) return [];
    const { items } = await this.list(viewer, { q });
    return items.slice(0, limit).map((vehicle, i) => ({
      id: vehicle.id,
      ref: vehicle.plate,
      title: vehicle.plate,
      subtitle: [vehicle.model, vehicle.owner?.name].filter(Boolean).join(" · ") || null,
      score: 1 - i / mostFound,
    }));
  }

  async #read(
    tx: Tx,
    viewer: Viewer,
    query: ListQuery,
    filter: ListFilter,
    count: (cap: number) => Promise<number>,
  ): Promise<Page<Vehicle>> {
    const page = await readList(vehiclesList, query, filter.ids ?? null, {
      rows: async (position, limit) => await listRows(tx, filter, this.#deps.modelColumn, position, limit),
      count,
    });
    return { ...page, items: await this.#shape(tx, viewer, page.items) };
  }

  /** Throws when the viewer may not filter or order by a field. */
  async #filterOf(tx: Tx, viewer: Viewer, query: ListQuery): Promise<ListFilter> {
    if (query.ownerId !== undefined && !seesOwner(viewer.rights)) throw ownerHidden(viewer);
    this.#requireOrder(query);
    const owner = query.ownerId === undefined ? undefined : ((await citizenIdentifier(tx, query.ownerId)) ?? "\0");
    const q = query.q?.trim() ?? "";
    const ids = q === "" ? undefined : await this.#found(tx, viewer, q);
    return {
      ...(ids === undefined ? {} : { ids }),
      ...(owner === undefined ? {} : { owner }),
      ...(query.job === undefined ? {} : { job: query.job }),
    };
  }

  /** As the viewer may see them. */
  async #shape(tx: Tx, viewer: Viewer, rows: readonly VehicleSource[]): Promise<Vehicle[]> {
    const { jobs, modelColumn } = this.#deps;
    const owner = seesOwner(viewer.rights);
    const owners = owner
      ? await citizenNames(tx, [...new Set(rows.flatMap((row) => row.owner_identifier ?? []))])
      : new Map<string, never>();
    const context = { owners, labels: await jobs.labels(tx), modelOff: modelColumn === null };
    return rows.map((row) => (owner ? wholeVehicle(row, context) : withoutOwner(wholeVehicle(row, context))));
  }

  /** Ids found by plate and model, then by the owner's name where the viewer sees owners; best first. */
  async #found(tx: Tx, viewer: Viewer, q: string): Promise<number[]> {
    const { search, modelColumn } = this.#deps;
    const fields = modelColumn === "model" ? ["plate", "model"] : ["plate"];
    const own = await search.find(tx, vehiclesSearchKind, q, { limit: mostFound, fields });
    const ids = own.map(({ id }) => id);
    if (!seesOwner(viewer.rights)) return ids;
    const owners = await search.find(tx, citizensSearchKind, q, { limit: mostOwners, fields: ["name"] });
    const identifiers = await citizenIdentifiers(
      tx,
      owners.map(({ id }) => id),
    );
    return [...new Set([...ids, ...(await idsOfOwners(tx, identifiers, mostFound))])].slice(0, mostFound);
  }

  /** There is no index of the column that `database.custom.columns` names in the place of the model. */
  #requireOrder({ order }: ListQuery): void {
    if (order === undefined || readOrder(order).name !== "model" || this.#deps.modelColumn === "model") return;
    const problem = `cannot be ${order}: the model is switched off or shows another column (database.custom.columns)`;
    throw new AppError(guardErrors.invalidInput, { params: { field: "query.order", problem } });
  }
}
