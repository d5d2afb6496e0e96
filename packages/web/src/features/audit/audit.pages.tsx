import { createRoute } from "@tanstack/react-router";
import { IconHistory } from "@tabler/icons-react";
import { auditPermissions } from "@rollcall/server/contract/audit";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { auditSearch } from "./audit.search.ts";

export const auditPages: FeaturePages = {
  alone: "config",
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/panel/audit",
      validateSearch: auditSearch,
      component: page(["audit", "errors", "fields", "notificationKinds"], () => import("./audit.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: page(["audit", "errors", "fields", "notificationKinds"], async () => ({
        default: (await import("./audit.tsx")).AuditDetail,
      })),
    });
    const lookups = createRoute({
      getParentRoute: () => parent,
      path: "/notifications/lookups",
      component: page(["audit"], () => import("./accessLog.tsx")),
    });
    return [list.addChildren([detail]), lookups];
  },
  home: [
    {
      id: "audit.lookups",
      for: ["citizen"],
      urgency: 42,
      memberUrgency: 25,
      card: part(["audit"], () => import("./accessLogCard.tsx")),
    },
  ],
  profile: [{ id: "audit.record", position: 95, section: part(["audit"], () => import("./recordSection.tsx")) }],
  navigation: [
    {
      group: "control",
      position: 60,
      to: "/panel/audit",
      label: "web.places.audit",
      icon: IconHistory,
      letter: "a",
      needs: auditPermissions.view.id,
      admins: "config",
    },
  ],
};
