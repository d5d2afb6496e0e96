import { createRoute } from "@tanstack/react-router";
import { IconClockPlay } from "@tabler/icons-react";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";

export const schedulerPages: FeaturePages = {
  alone: "config",
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/schedule",
      component: page(["scheduler", "audit"], () => import("./scheduler.tsx")),
    }),
  ],
  home: [
    {
      id: "scheduler.dead",
      for: ["administrator"],
      urgency: 75,
      admins: "config",
      card: part(["scheduler"], () => import("./card.tsx")),
    },
  ],
  navigation: [
    {
      group: "control",
      position: 90,
      to: "/panel/schedule",
      label: "web.places.scheduler",
      icon: IconClockPlay,
      admins: "config",
    },
  ],
};
