import { createRoute } from "@tanstack/react-router";
import { IconFiles } from "@tabler/icons-react";
import { page, type FeaturePages } from "#core/pages.ts";

export const filesPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/files",
      component: page(["files"], () => import("./files.tsx")),
    }),
  ],
  navigation: [
    {
      group: "control",
      position: 80,
      to: "/panel/files",
      label: "web.places.files",
      icon: IconFiles,
      letter: "f",
      admins: "config",
    },
  ],
};
