import { createRoute } from "@tanstack/react-router";
import { IconChecklist } from "@tabler/icons-react";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { pickSearch } from "#core/search.ts";
import { ApprovalsBadge } from "./badge.tsx";

export const approvalsPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/approvals",
      validateSearch: (search) => pickSearch(search, { list: 8 }),
      component: page(["approvals", "approvalKinds", "citizens"], () => import("./approvals.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: page(["approvals", "approvalKinds", "errors"], () => import("./detail.tsx")),
    });
    return [list.addChildren([detail])];
  },
  navigation: [
    {
      group: "home",
      position: 30,
      to: "/approvals",
      label: "web.places.approvals",
      icon: IconChecklist,
      badge: ApprovalsBadge,
      drafts: "approval.",
    },
  ],
  home: [
    {
      id: "approvals.waiting",
      ofJob: true,
      for: ["citizen"],
      urgency: 90,
      card: part(["approvalKinds"], () => import("./card.tsx")),
    },
  ],
};
