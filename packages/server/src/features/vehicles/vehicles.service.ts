import type { Viewer } from "#core/actor.ts";
import { guardErrors, type InputOf, type Page, readOrder, type SearchEntry } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { type FoundIds, hitsNeeded, idsOf, readFound } from "#core/found.ts";
import { mostFound, readPage } from "#core/paging.ts";
import type { Clock, Database, Search, SearchFound, SearchHit, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import {
  citizenIdentifier,
  citizenIdentifiers,
  citizenIds,
  citizenNames,
  citizensSearchKind,
} from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import {
  type listOwnVehicles,
  type listVehicles,
  type Vehicle,
  vehiclesErrors,
  vehiclesPermissions,
} from "./vehicles.contract.ts";
import { plateKey, seesOwner, vehiclesSearchKind, wholeVehicle, withoutOwner } from "./vehicles.policy.ts";
import {
  countRows,
  idsOfOwners,
  type ListFilter,
  listRows,
  ownersOfPlates,
  rowsOf,
  type VehicleSource,
} from "./vehicles.repo.ts";
import { vehiclesList } from "./vehicles.schema.ts";

/** Citizens considered when an owner's name is searched. */
const mostOwners = 25;

export interface VehiclesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly search: Search;
  readonly audit: AuditApi;
  readonly jobs: JobsApi;
  readonly modelColumn: string | null;
}

export type ListQuery = InputOf<typeof listVehicles>["query"];

/** What a query asks for, with its search looked up. */
interface Asked {
  readonly filter: ListFilter;
  /** Null where nothing is searched. */
  readonly found: FoundIds | null;
}

function ownerHidden(viewer: Viewer): AppError {
  return new AppError(vehiclesErrors.fieldHidden, {
    params: { permission: vehiclesPermissions.list.id, field: "owner", job: viewer.job },
  });
}

/** A third of all plates contain any one letter or digit, and no index leads to them. */
function plateTooShort(): AppError {
  const problem = "is too short: at least 2 letters or digits are needed";
  return new AppError(guardErrors.invalidInput, { params: { field: "query.plate", problem } });
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
    const found = await this.#deps.db.read("vehicles.list", async (tx) => {
      const asked = await this.#asked(tx, viewer, query);
      return await this.#read(tx, viewer, query, asked, async (cap) => await countRows(tx, asked.filter, cap));
    });
    const [only] = found.items;
    if (found.total === 1 && only !== undefined) await this.noteLookUp(viewer, query, only);
    return found;
  }

  /** The `only` vehicle that a search found was looked up, as if it had been opened, when its owner stands beside it. */
  async noteLookUp(viewer: Viewer, { q }: Pick<ListQuery, "q">, { id, owner, plate }: Vehicle): Promise<void> {
    if ((q ?? "").trim() === "" || !owner || owner.id === viewer.characterId) return;
    const object = { kind: "vehicle", id, name: plate } as const;
    await this.#deps.audit.noteView({ kind: "character", ...viewer }, { action: "vehicles.view", object });
  }

  /** Those of the viewer's character. */
  async own({ characterId }: Viewer, query: InputOf<typeof listOwnVehicles>["query"]): Promise<Page<Vehicle>> {
    const { db, modelColumn } = this.#deps;
    return await db.read("vehicles.own", async (tx) => {
      const filter = { owner: (await citizenIdentifier(tx, characterId)) ?? "\0" };
      const page = await readPage(vehiclesList, query, {
        rows: async (position, limit) => await listRows(tx, filter, modelColumn, position, limit),
        count: async (cap) => await countRows(tx, filter, cap),
      });
      return { ...page, items: await this.#shape(tx, page.items, false) };
    });
  }

  /** For the export: a page without its total. */
  async exported(tx: Tx, viewer: Viewer, query: ListQuery, changedUntil: number): Promise<Page<Vehicle>> {
    return await this.#read(tx, viewer, query, await this.#asked(tx, viewer, query, changedUntil), async () => 0);
  }

  /** For the export: how many vehicles match, counted up to `cap`. */
  async count(tx: Tx, viewer: Viewer, query: ListQuery, changedUntil: number, cap: number): Promise<number> {
    const { filter, found } = await this.#asked(tx, viewer, { ...query, limit: mostFound }, changedUntil);
    return await countRows(tx, found ? { ...filter, ids: found.ids } : filter, cap);
  }

  get showsModel(): boolean {
    return this.#deps.modelColumn !== null;
  }

  async get(call: CallContext, id: number): Promise<Vehicle> {
    const { db, audit, modelColumn } = this.#deps;
    const viewer = call.viewer();
    const found = await db.read("vehicles.get", async (tx) => {
      const rows = await rowsOf(tx, [id], modelColumn);
      const [vehicle] = await this.#shape(tx, rows, seesOwner(viewer.rights));
      if (!vehicle) throw new AppError(vehiclesErrors.notFound);
      const owner = rows[0]!.owner_identifier;
      return { vehicle, isOwn: owner !== null && owner === (await citizenIdentifier(tx, viewer.characterId)) };
    });
    const { vehicle, isOwn } = found;
    // As with citizens, what one looks up about oneself leaves no entry.
    const object = { kind: "vehicle", id, name: vehicle.plate } as const;
    if (!isOwn) await audit.noteView(call.actor, { action: "vehicles.view", object });
    return vehicle;
  }

  /** For the list of citizens: ids of the owners of vehicles whose plate contains this. */
  async ownersByPlate(tx: Tx, viewer: Viewer, plate: string, limit: number): Promise<number[]> {
    if (!viewer.rights.has(vehiclesPermissions.list.id) || !seesOwner(viewer.rights)) throw ownerHidden(viewer);
    const among = this.#deps.search.containing(vehiclesSearchKind, plate);
    if (among === null) throw plateTooShort();
    return await citizenIds(tx, await ownersOfPlates(tx, among, plateKey(plate), limit));
  }

  /** For the global search. */
  async find(viewer: Viewer, q: string, limit: number): Promise<SearchEntry[]> {
    if (!viewer.rights.has(vehiclesPermissions.list.id)) return [];
    const found = await this.#deps.db.read("vehicles.search", async (tx) => {
      const hits = (await this.#hits(tx, viewer, q, limit)).hits.slice(0, limit);
      const rows = await rowsOf(
        tx,
        hits.map(({ id }) => id),
        this.#deps.modelColumn,
      );
      const vehicles = new Map((await this.#shape(tx, rows, seesOwner(viewer.rights))).map((vehicle) => [vehicle.id, vehicle]));
      return hits.flatMap((hit) => {
        const vehicle = vehicles.get(hit.id);
        return vehicle ? [{ hit, vehicle }] : [];
      });
    });
    const [only] = found;
    if (found.length === 1 && only !== undefined) await this.noteLookUp(viewer, { q }, only.vehicle);
    return found.map(({ hit, vehicle: { model, owner, plate } }) => {
      const subtitle = [model, owner?.name].filter(Boolean).join(" · ") || null;
      return { ...hit, ref: plate, title: plate, subtitle };
    });
  }

  async #read(
    tx: Tx,
    viewer: Viewer,
    query: ListQuery,
    { filter, found }: Asked,
    count: (cap: number) => Promise<number>,
  ): Promise<Page<Vehicle>> {
    const { modelColumn } = this.#deps;
    const page = found
      ? await readFound(
          vehiclesList,
          query,
          found,
          async (ids, position, limit) => await listRows(tx, { ...filter, ids }, modelColumn, position, limit),
          { isNarrowed: Object.keys(filter).length > 0 },
        )
      : await readPage(vehiclesList, query, {
          rows: async (position, limit) => await listRows(tx, filter, modelColumn, position, limit),
          count,
        });
    return { ...page, items: await this.#shape(tx, page.items, seesOwner(viewer.rights)) };
  }

  /** Throws when the viewer may not filter or order by a field. */
  async #asked(tx: Tx, viewer: Viewer, query: ListQuery, changedUntil?: number): Promise<Asked> {
    if (query.ownerId !== undefined && !seesOwner(viewer.rights)) throw ownerHidden(viewer);
    this.#requireOrder(query);
    const owner = query.ownerId === undefined ? undefined : ((await citizenIdentifier(tx, query.ownerId)) ?? "\0");
    const q = query.q?.trim() ?? "";
    const filter = {
      ...(owner === undefined ? {} : { owner }),
      ...(query.job === undefined ? {} : { job: query.job }),
      ...(changedUntil === undefined ? {} : bound(query, changedUntil)),
    };
    if (q === "") return { filter, found: null };
    const limit = hitsNeeded(query, Object.keys(filter).length > 0);
    return { filter, found: idsOf(await this.#hits(tx, viewer, q, limit)) };
  }

  /** With or without the owner. */
  async #shape(tx: Tx, rows: readonly VehicleSource[], owner: boolean): Promise<Vehicle[]> {
    const { jobs, modelColumn } = this.#deps;
    const owners = owner
      ? await citizenNames(tx, [...new Set(rows.flatMap((row) => row.owner_identifier ?? []))])
      : new Map<string, never>();
    const context = { owners, labels: await jobs.labels(tx), modelOff: modelColumn === null };
    return rows.map((row) => (owner ? wholeVehicle(row, context) : withoutOwner(wholeVehicle(row, context))));
  }

  /** By plate and model, and by the owner's name where the viewer sees owners; best first. */
  async #hits(tx: Tx, viewer: Viewer, q: string, limit: number): Promise<SearchFound> {
    const { search, modelColumn } = this.#deps;
    const fields = modelColumn === "model" ? ["plate", "model"] : ["plate"];
    const own = await search.find(tx, vehiclesSearchKind, q, { limit, fields });
    if (!seesOwner(viewer.rights) || own.hits.length >= limit) return own;
    const owners = await search.find(tx, citizensSearchKind, q, { limit: mostOwners, fields: ["name"] });
    const owned = await this.#ownedBy(tx, owners.hits);
    const hits = new Map([...own.hits, ...owned].map((hit) => [hit.id, hit]));
    return {
      hits: [...hits.values()].slice(0, limit),
      total: Math.min(hits.size, mostFound),
      isMore: own.isMore || owners.isMore,
    };
  }

  async #ownedBy(tx: Tx, owners: readonly SearchHit[]): Promise<SearchHit[]> {
    const ids = owners.map(({ id }) => id);
    const [best] = owners;
    if (!best) return [];
    const vehicles = await idsOfOwners(tx, await citizenIdentifiers(tx, ids), mostFound);
    return vehicles.map((id) => ({ ...best, id }));
  }

  /** There is no index of the column that `database.custom.columns` names in the place of the model. */
  #requireOrder({ order }: ListQuery): void {
    if (order === undefined || readOrder(order).name !== "model" || this.#deps.modelColumn === "model") return;
    const problem = `cannot be ${order}: the model is switched off or shows another column (database.custom.columns)`;
    throw new AppError(guardErrors.invalidInput, { params: { field: "query.order", problem } });
  }
}
