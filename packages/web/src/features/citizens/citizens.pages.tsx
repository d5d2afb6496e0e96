import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { IconUsers } from "@tabler/icons-react";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import type { FeaturePages } from "#core/pages.ts";
import { citizensSearch } from "./citizens.search.ts";

export const citizensPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/citizens",
      validateSearch: citizensSearch,
      component: lazyRouteComponent(() => import("./citizens.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: lazyRouteComponent(() => import("./detail.tsx")),
    });
    return [list.addChildren([detail])];
  },
  navigation: [
    {
      group: "records",
      position: 10,
      to: "/citizens",
      label: "citizens.title",
      icon: IconUsers,
      needs: citizensPermissions.list.id,
      letter: "c",
    },
  ],
  jumps: [
    {
      kind: "citizens",
      prefix: "CIT",
      label: "citizens.title",
      icon: IconUsers,
      href: (id) => `/citizens/${id}`,
    },
  ],
};
