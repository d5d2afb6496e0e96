import { createRoute } from "@tanstack/react-router";
import { IconChecklist } from "@tabler/icons-react";
import { panelPage, type FeaturePages } from "#core/pages.ts";
import { pickSearch } from "#core/search.ts";

export const approvalsPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/approvals",
      validateSearch: (search) => pickSearch(search, { list: 8 }),
      component: panelPage(() => import("./approvals.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: panelPage(() => import("./detail.tsx")),
    });
    return [list.addChildren([detail])];
  },
  navigation: [{ group: "home", position: 30, to: "/approvals", label: "web.places.approvals", icon: IconChecklist }],
};
