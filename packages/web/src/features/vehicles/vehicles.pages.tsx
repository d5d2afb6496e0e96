import { createRoute } from "@tanstack/react-router";
import { IconCar } from "@tabler/icons-react";
import { vehiclesPermissions } from "@rollcall/server/contract/vehicles";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { vehiclesSearch } from "./vehicles.search.ts";

export const vehiclesPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/vehicles",
      validateSearch: vehiclesSearch,
      component: page(["vehicles"], () => import("./vehicles.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: page(["vehicles"], async () => ({
        default: (await import("./vehicles.tsx")).VehicleDetail,
      })),
    });
    return [list.addChildren([detail])];
  },
  navigation: [
    {
      group: "records",
      position: 20,
      to: "/vehicles",
      label: "vehicles.title",
      icon: IconCar,
      needs: vehiclesPermissions.list.id,
      letter: "v",
    },
  ],
  profile: [
    {
      id: "vehicles.owned",
      position: 50,
      section: part(["vehicles"], async () => ({ default: (await import("./owned.tsx")).OwnedVehicles })),
    },
  ],
  jumps: [{ kind: "vehicles", label: "vehicles.title", icon: IconCar, href: (id) => `/vehicles/${id}` }],
};
