import { createRoute } from "@tanstack/react-router";
import { page, type FeaturePages } from "#core/pages.ts";

export const accountPages: FeaturePages = {
  alone: "account",
  routes: (parent) =>
    ["/account", "/account/$section"].map((path) =>
      createRoute({ getParentRoute: () => parent, path, component: page(["account"], () => import("./within.tsx")) }),
    ),
  navigation: [],
};
