import { createRoute } from "@tanstack/react-router";
import { IconClockPlay } from "@tabler/icons-react";
import { panelPage, type FeaturePages } from "#core/pages.ts";

export const schedulerPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/schedule",
      component: panelPage(() => import("./scheduler.tsx")),
    }),
  ],
  navigation: [
    {
      group: "control",
      position: 90,
      to: "/panel/schedule",
      label: "web.places.scheduler",
      icon: IconClockPlay,
      admins: "config",
      alone: true,
    },
  ],
};
