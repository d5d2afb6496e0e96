import { createRoute } from "@tanstack/react-router";
import { IconActivityHeartbeat } from "@tabler/icons-react";
import { panelPage, type FeaturePages } from "#core/pages.ts";

export const systemPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/status",
      component: panelPage(() => import("./status.tsx")),
    }),
  ],
  navigation: [
    {
      group: "control",
      position: 100,
      to: "/panel/status",
      label: "web.places.status",
      icon: IconActivityHeartbeat,
      admins: "config",
      alone: true,
    },
  ],
};
