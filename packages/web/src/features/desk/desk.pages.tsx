import { createRoute } from "@tanstack/react-router";
import { IconHeadset } from "@tabler/icons-react";
import { deskPermissions } from "@rollcall/server/contract/desk";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { deskSearch } from "./desk.search.ts";

export const deskPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/dispatch",
      validateSearch: deskSearch,
      component: page(["desk", "calls", "units", "assignments"], () => import("./desk.tsx")),
    }),
  ],
  navigation: [
    {
      group: "dispatch",
      position: 1,
      to: "/dispatch",
      label: "desk.title",
      icon: IconHeadset,
      letter: "o",
      needs: deskPermissions.open.id,
    },
  ],
  commands: [
    {
      id: "desk.newCall",
      label: "desk.commands.newCall",
      icon: IconHeadset,
      needs: deskPermissions.open.id,
      run: ({ go }) => go("/dispatch?new=1"),
    },
  ],
  home: [
    {
      id: "desk.waiting",
      ofJob: true,
      for: ["member"],
      urgency: 88,
      needs: deskPermissions.open.id,
      card: part(["desk"], () => import("./card.tsx")),
    },
  ],
  marks: [
    {
      id: "desk.dispatcher",
      position: 20,
      members: true,
      mark: part(["desk"], () => import("./mark.tsx")),
    },
  ],
};
