import { createRoute } from "@tanstack/react-router";
import { IconUsers } from "@tabler/icons-react";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { citizensSearch } from "./citizens.search.ts";

export const citizensPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/citizens",
      validateSearch: citizensSearch,
      component: page(["citizens"], () => import("./citizens.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: page(["citizens"], () => import("./detail.tsx")),
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
  profile: [
    {
      id: "citizens.resync",
      position: 90,
      needs: citizensPermissions.resync.id,
      section: part(["citizens"], async () => ({ default: (await import("./resync.tsx")).ResyncSection })),
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
