import { createRoute } from "@tanstack/react-router";
import { IconBell } from "@tabler/icons-react";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { pickSearch } from "#core/search.ts";

export const notificationsPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/notifications",
      validateSearch: (search) => pickSearch(search, { only: 6, kind: 100 }),
      component: page([], () => import("./notifications.tsx")),
    }),
  ],
  navigation: [
    {
      group: "home",
      position: 20,
      to: "/notifications",
      label: "web.places.notifications",
      icon: IconBell,
      letter: "n",
      badge: part([], () => import("./badge.tsx")),
    },
  ],
  // The bell handles its key itself.
  shortcuts: [{ keys: "b", label: "notifications.open" }],
};
