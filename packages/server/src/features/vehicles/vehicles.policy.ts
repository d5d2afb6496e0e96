import type { Rights } from "#core/actor.ts";
import type { Row } from "#core/db/table.ts";
import type { SearchText } from "#core/ports/index.ts";
import type { CitizenName } from "#features/citizens/citizens.reads.ts";
import type { JobLabels } from "#features/jobs/jobs.api.ts";
import { type SyncVehicle, type Vehicle, vehiclesPermissions } from "./vehicles.contract.ts";
import type { VehicleSource } from "./vehicles.repo.ts";
import type { vehicles } from "./vehicles.schema.ts";

export type VehicleColumns = Pick<Row<typeof vehicles>, "plate" | "model" | "type" | "owner_identifier" | "job">;

/** Kind under which vehicles are in the search index. */
export const vehiclesSearchKind = "vehicles";

/** As many characters as a plate may have. */
const longestKey = 32;

/** Without accents, blanks and case; cut, because normalisation expands a few letters to up to eighteen. */
export function plateKey(plate: string): string {
  const plain = plate.normalize("NFKD").replaceAll(/[\p{M}\s-]/gu, "");
  return Array.from(plain.toLowerCase()).slice(0, longestKey).join("");
}

/** What is stored of a sent vehicle: an empty text is null, and a field that was left out keeps its value of `before`. */
export function columnsOf(vehicle: SyncVehicle, before: VehicleColumns | null): VehicleColumns {
  const textOf = (sent: string | null | undefined, stored: string | null | undefined) =>
    sent === undefined ? (stored ?? null) : sent?.trim() || null;
  return {
    plate: vehicle.plate,
    model: textOf(vehicle.model, before?.model),
    type: textOf(vehicle.type, before?.type),
    owner_identifier: textOf(vehicle.ownerIdentifier, before?.owner_identifier),
    job: textOf(vehicle.job, before?.job),
  };
}

/** The searchable texts of a vehicle. */
export function textsOf({ plate, model }: VehicleColumns): SearchText[] {
  return [{ field: "plate", text: plate, weight: 2, isCode: true }, ...(model === null ? [] : [{ field: "model", text: model }])];
}

export function seesOwner(rights: Rights): boolean {
  const held = rights.attribute(vehiclesPermissions.list.id, "fields");
  return Array.isArray(held) && (held as readonly string[]).includes("owner");
}

export interface VehicleContext {
  readonly owners: ReadonlyMap<string, CitizenName>;
  readonly labels: JobLabels;
  readonly modelOff: boolean;
}

/** Everything of a vehicle; `withoutOwner` removes what a viewer may not see. */
export function wholeVehicle(row: Omit<VehicleSource, "plate_key">, { owners, labels, modelOff }: VehicleContext): Vehicle {
  const owner = row.owner_identifier === null ? undefined : owners.get(row.owner_identifier);
  return {
    id: row.id,
    version: row.version,
    plate: row.plate,
    ...(modelOff ? {} : { model: row.model }),
    type: row.type,
    job: row.job === null ? null : { name: row.job, label: labels.label(row.job) },
    owner: owner ? { id: owner.id, name: owner.name } : null,
    updatedAt: row.updated_at,
  };
}

export function withoutOwner<T extends Vehicle>(vehicle: T): T {
  const { owner: _owner, ...rest } = vehicle;
  return rest as T;
}
