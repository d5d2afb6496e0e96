import { createRoute } from "@tanstack/react-router";
import { page, type FeaturePages } from "#core/pages.ts";

export const accountPages: FeaturePages = {
  alone: "account",
  routes(parent) {
    const whole = createRoute({
      getParentRoute: () => parent,
      path: "/account",
      component: page(["account", "fields"], () => import("./within.tsx")),
    });
    const section = createRoute({
      getParentRoute: () => parent,
      path: "/account/$section",
      component: page(["account", "fields"], () => import("./within.tsx")),
    });
    return [whole, section];
  },
  navigation: [],
};
