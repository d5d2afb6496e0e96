import { createRoute } from "@tanstack/react-router";
import { IconMapPins } from "@tabler/icons-react";
import { positionsPermissions } from "@rollcall/server/contract/positions";
import { page, type FeaturePages } from "#core/pages.ts";
import { positionsCommands } from "./positions.commands.ts";
import { positionsSearch } from "./positions.search.ts";

export const positionsPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/places",
      validateSearch: positionsSearch,
      component: page(["positions", "duty", "ingame"], () => import("./places.tsx")),
    }),
  ],
  navigation: [
    {
      group: "dispatch",
      position: 10,
      to: "/places",
      label: "positions.title",
      icon: IconMapPins,
      letter: "w",
      needs: positionsPermissions.view.id,
    },
  ],
  commands: positionsCommands,
};
