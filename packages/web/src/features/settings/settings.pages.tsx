import { createRoute } from "@tanstack/react-router";
import { IconAdjustments } from "@tabler/icons-react";
import { panelPage, type FeaturePages } from "#core/pages.ts";

export const settingsPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/settings",
      component: panelPage(() => import("./settings.tsx")),
    }),
  ],
  navigation: [
    {
      group: "control",
      position: 70,
      to: "/panel/settings",
      label: "web.places.settings",
      icon: IconAdjustments,
      admins: "config",
      alone: true,
    },
  ],
};
