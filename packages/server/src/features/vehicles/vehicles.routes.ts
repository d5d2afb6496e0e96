import { bind, type Binding } from "#core/feature.ts";
import { authorizeOwnCharacter } from "#core/own-character.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import {
  getVehicle,
  listOwnVehicles,
  listVehicles,
  ownVehiclesTopic,
  type VehicleChange,
  vehiclesChanged,
  vehiclesPermissions,
  vehiclesTopic,
} from "./vehicles.contract.ts";
import { seesOwner, withoutOwner } from "./vehicles.policy.ts";
import type { VehiclesService } from "./vehicles.service.ts";

export function vehiclesRoutes(service: VehiclesService): Binding[] {
  return [
    bind(listVehicles, async (call, { query }) => await service.list(call.viewer(), query)),
    bind(listOwnVehicles, async (call, { query }) => await service.own(call.viewer(), query)),
    bind(getVehicle, async (call, { params }) => await service.get(call, params.id)),
  ];
}

export function vehiclesTopics(): TopicBinding[] {
  return [
    {
      topic: vehiclesTopic,
      async authorize(viewer) {
        if (!viewer.rights.has(vehiclesPermissions.list.id)) return null;
        const owner = seesOwner(viewer.rights);
        return {
          class: owner ? "owner" : "",
          view: (data) => (owner ? data : { items: (data as { items: VehicleChange[] }).items.map(withoutOwner) }),
        };
      },
      project: ({ type, payload }) => (type === vehiclesChanged.id ? [{ key: null, data: payload }] : []),
    },
    {
      topic: ownVehiclesTopic,
      authorize: authorizeOwnCharacter,
      project({ type, payload }) {
        if (type !== vehiclesChanged.id) return [];
        const owners = new Set((payload as { items: VehicleChange[] }).items.flatMap(({ owner }) => owner?.id ?? []));
        return [...owners].map((character) => ({ key: String(character), data: { character } }));
      },
    },
  ];
}
