import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { IconBell } from "@tabler/icons-react";
import type { FeaturePages } from "#core/pages.ts";
import { pickSearch } from "#core/search.ts";

export const notificationsPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/notifications",
      validateSearch: (search) => pickSearch(search, { only: 6, kind: 100 }),
      component: lazyRouteComponent(() => import("./notifications.tsx")),
    }),
  ],
  navigation: [
    { group: "home", position: 20, to: "/notifications", label: "web.places.notifications", icon: IconBell, letter: "n" },
  ],
};
