import { createRoute } from "@tanstack/react-router";
import { IconHome } from "@tabler/icons-react";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";

export const homePages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/",
      component: page(["home"], () => import("./home.tsx")),
    }),
  ],
  home: [{ id: "home.recent", for: ["member"], urgency: 10, card: part(["home"], () => import("./recent.tsx")) }],
  navigation: [{ group: "home", position: 10, to: "/", label: "home.title", icon: IconHome, letter: "h" }],
};
