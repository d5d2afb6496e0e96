import { createRoute } from "@tanstack/react-router";
import { IconAdjustments } from "@tabler/icons-react";
import { page, type FeaturePages } from "#core/pages.ts";
import { SystemBanner } from "./banner.tsx";

export const settingsPages: FeaturePages = {
  alone: "config",
  banners: [{ id: "settings.banner", position: 10, banner: SystemBanner }],
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/settings",
      component: page(["settings", "fields"], () => import("./settings.tsx")),
    }),
  ],
  navigation: [
    {
      group: "control",
      position: 70,
      to: "/panel/settings",
      drafts: "settings",
      label: "web.places.settings",
      icon: IconAdjustments,
      letter: "s",
      admins: "config",
    },
  ],
};
