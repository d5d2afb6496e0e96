import { createRoute } from "@tanstack/react-router";
import { panelPage, type FeaturePages } from "#core/pages.ts";

export const accountPages: FeaturePages = {
  routes: (parent) =>
    ["/account", "/account/$section"].map((path) =>
      createRoute({ getParentRoute: () => parent, path, component: panelPage(() => import("./within.tsx")) }),
    ),
  navigation: [],
};
