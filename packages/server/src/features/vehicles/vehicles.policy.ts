import { hash } from "node:crypto";
import type { Rights } from "#core/actor.ts";
import type { CitizenName } from "#features/citizens/citizens.reads.ts";
import type { JobLabels } from "#features/jobs/jobs.api.ts";
import { type SyncVehicle, type Vehicle, vehiclesPermissions } from "./vehicles.contract.ts";
import type { VehicleRecord, VehicleSource } from "./vehicles.repo.ts";

const hashOf = (value: unknown) => hash("md5", JSON.stringify(value));

/** As many characters as a plate may have. */
const longestKey = 32;

/** Without accents, blanks and case; cut, because a few letters become up to eighteen when written plainly. */
export function plateKey(plate: string): string {
  const plain = plate.normalize("NFKD").replaceAll(/[\p{M}\s-]/gu, "");
  return Array.from(plain.toLowerCase()).slice(0, longestKey).join("");
}

/** What of a sent vehicle is stored. Empty texts mean nothing. */
export function recordOf(vehicle: SyncVehicle): VehicleRecord {
  const textOf = (text: string | null | undefined) => (text?.trim() ? text.trim() : null);
  const stored = {
    plate: vehicle.plate,
    plate_key: plateKey(vehicle.plate),
    model: textOf(vehicle.model),
    type: textOf(vehicle.type),
    owner_identifier: textOf(vehicle.ownerIdentifier),
    job: textOf(vehicle.job),
  };
  return { ...stored, sync_hash: hashOf(stored), search_hash: hashOf([stored.plate, stored.model]) };
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

/** Everything of a vehicle; `withoutOwner` takes away what a viewer may not see. */
export function wholeVehicle(row: VehicleSource, { owners, labels, modelOff }: VehicleContext): Vehicle {
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
