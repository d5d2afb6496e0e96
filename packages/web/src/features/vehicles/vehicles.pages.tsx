import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { IconCar } from "@tabler/icons-react";
import { vehiclesPermissions } from "@rollcall/server/contract/vehicles";
import type { FeaturePages } from "#core/pages.ts";
import { vehiclesSearch } from "./vehicles.search.ts";

export const vehiclesPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/vehicles",
      validateSearch: vehiclesSearch,
      component: lazyRouteComponent(() => import("./vehicles.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: lazyRouteComponent(async () => ({
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
  jumps: [{ kind: "vehicles", label: "vehicles.title", icon: IconCar, href: (id) => `/vehicles/${id}` }],
};
