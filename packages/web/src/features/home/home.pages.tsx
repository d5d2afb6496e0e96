import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { IconHome } from "@tabler/icons-react";
import type { FeaturePages } from "#core/pages.ts";

export const homePages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/",
      component: lazyRouteComponent(() => import("./home.tsx")),
    }),
  ],
  navigation: [{ group: "home", position: 10, to: "/", label: "home.title", icon: IconHome, letter: "h" }],
};
