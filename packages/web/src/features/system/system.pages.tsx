import { createRoute } from "@tanstack/react-router";
import { IconActivityHeartbeat } from "@tabler/icons-react";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";

export const systemPages: FeaturePages = {
  alone: "config",
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/status",
      component: page(["system", "updates", "findings"], () => import("./status.tsx")),
    }),
  ],
  home: [
    {
      id: "system.installation",
      for: ["administrator"],
      urgency: 85,
      admins: "config",
      card: part(["system", "scheduler", "findings"], () => import("./card.tsx")),
    },
  ],
  navigation: [
    {
      group: "control",
      position: 100,
      to: "/panel/status",
      label: "web.places.status",
      icon: IconActivityHeartbeat,
      letter: "i",
      admins: "config",
    },
  ],
};
