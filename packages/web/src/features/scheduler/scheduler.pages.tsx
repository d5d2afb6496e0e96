import { createRoute } from "@tanstack/react-router";
import { IconClockPlay } from "@tabler/icons-react";
import { page, type FeaturePages } from "#core/pages.ts";

export const schedulerPages: FeaturePages = {
  alone: "config",
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/schedule",
      component: page(["scheduler", "audit"], () => import("./scheduler.tsx")),
    }),
  ],
  navigation: [
    {
      group: "control",
      position: 90,
      to: "/panel/schedule",
      label: "web.places.scheduler",
      icon: IconClockPlay,
      letter: "t",
      admins: "config",
    },
  ],
};
