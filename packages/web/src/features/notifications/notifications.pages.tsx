import { createRoute } from "@tanstack/react-router";
import { IconBell } from "@tabler/icons-react";
import { page, type FeaturePages } from "#core/pages.ts";
import { pickSearch } from "#core/search.ts";
import { NotificationsBadge } from "./badge.tsx";

export const notificationsPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/notifications",
      validateSearch: (search) => pickSearch(search, { only: 6, kind: 100 }),
      component: page(["notificationKinds"], () => import("./notifications.tsx")),
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
      badge: NotificationsBadge,
    },
  ],
  // The bell handles its key itself.
  shortcuts: [{ keys: "b", label: "notifications.open" }],
};
