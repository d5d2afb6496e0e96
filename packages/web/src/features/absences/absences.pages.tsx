import { createRoute } from "@tanstack/react-router";
import { IconCalendarOff, IconCalendarPlus, IconCategory, IconChartBar } from "@tabler/icons-react";
import { absencesPermissions } from "@rollcall/server/contract/absences";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { absencesSearch } from "./absences.search.ts";

export const absencesPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/absences",
      validateSearch: absencesSearch,
      component: page(["absences"], () => import("./absences.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/absences/kinds",
      component: page(["absences"], () => import("./kinds.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/absences/statistics",
      validateSearch: absencesSearch,
      component: page(["absences"], () => import("./statistics.tsx")),
    }),
  ],
  navigation: [
    {
      group: "job",
      position: 13,
      to: "/absences",
      label: "absences.title",
      icon: IconCalendarOff,
      members: true,
      drafts: "absence.",
    },
  ],
  commands: [
    {
      id: "absences.ask",
      label: "absences.commands.ask",
      icon: IconCalendarPlus,
      members: true,
      run: ({ go }) => go("/absences?ask=1"),
    },
    {
      id: "absences.kinds",
      label: "absences.commands.kinds",
      icon: IconCategory,
      needs: absencesPermissions.kinds.id,
      run: ({ go }) => go("/absences/kinds"),
    },
    {
      id: "absences.statistics",
      label: "absences.commands.statistics",
      icon: IconChartBar,
      needs: absencesPermissions.list.id,
      run: ({ go }) => go("/absences/statistics"),
    },
  ],
  home: [
    {
      id: "absences.own",
      ofJob: true,
      for: ["member"],
      urgency: 60,
      card: part(["absences"], () => import("./card.tsx")),
    },
  ],
  colleague: [
    {
      id: "absences.person",
      position: 10,
      label: "absences.commands.person",
      needs: absencesPermissions.list.id,
      tab: part(["absences"], () => import("./colleagueTab.tsx")),
    },
  ],
  marks: [
    {
      id: "absences.until",
      position: 10,
      needs: absencesPermissions.list.id,
      mark: part(["absences"], () => import("./mark.tsx")),
    },
  ],
  leads: [absencesPermissions.approve.id, absencesPermissions.enter.id],
};
