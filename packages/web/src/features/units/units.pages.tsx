import { createRoute } from "@tanstack/react-router";
import { IconCarSuv } from "@tabler/icons-react";
import { unitsPermissions } from "@rollcall/server/contract/units";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { unitsCommands } from "./units.commands.ts";
import { unitsSearch } from "./units.search.ts";
import { WorkQuestions } from "./workQuestion.tsx";

export const unitsPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/units",
      validateSearch: unitsSearch,
      component: page(["units"], () => import("./units.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/units/setup",
      component: page(["units"], () => import("./setup.tsx")),
    }),
  ],
  navigation: [
    {
      group: "dispatch",
      position: 5,
      to: "/units",
      label: "units.title",
      icon: IconCarSuv,
      letter: "e",
      members: true,
      drafts: "unit",
    },
  ],
  banners: [{ id: "units.work", position: 95, members: true, banner: WorkQuestions }],
  commands: unitsCommands,
  home: [
    {
      id: "units.own",
      ofJob: true,
      for: ["member"],
      urgency: 75,
      card: part(["units"], () => import("./card.tsx")),
    },
  ],
  jumps: [{ kind: "units", label: "units.title", icon: IconCarSuv, href: (id) => `/units?unit=${id}` }],
  leads: [unitsPermissions.manage.id, unitsPermissions.assign.id],
};
