import { createRoute } from "@tanstack/react-router";
import { IconUsersGroup } from "@tabler/icons-react";
import { page, type FeaturePages } from "#core/pages.ts";

export const crewPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/dispatch/crew",
      component: page(["crew", "calls", "units", "assignments"], () => import("./crew.tsx")),
    }),
  ],
  navigation: [
    {
      group: "dispatch",
      position: 2,
      to: "/dispatch/crew",
      label: "crew.title",
      icon: IconUsersGroup,
      letter: "m",
      members: true,
    },
  ],
};
