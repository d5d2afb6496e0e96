import { createRoute } from "@tanstack/react-router";
import { IconCalendarDollar, IconClockHour4, IconUserOff, IconUsersGroup } from "@tabler/icons-react";
import { timeclockPermissions } from "@rollcall/server/contract/timeclock";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { inactiveSearch, timeclockSearch } from "./timeclock.search.ts";

export const timeclockPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/jobs/timeclock",
      validateSearch: timeclockSearch,
      component: page(["timeclock"], () => import("./timeclock.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/jobs/timeclock/inactive",
      validateSearch: inactiveSearch,
      component: page(["timeclock"], () => import("./inactive.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/jobs/timeclock/periods",
      component: page(["timeclock"], () => import("./periods.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/jobs/timeclock/periods/$id",
      component: page(["timeclock"], () => import("./period.tsx")),
    }),
  ],
  navigation: [
    {
      group: "job",
      position: 15,
      to: "/jobs/timeclock",
      label: "timeclock.title",
      icon: IconClockHour4,
      members: true,
      drafts: "timeclock.",
    },
  ],
  commands: [
    {
      id: "timeclock.team",
      label: "timeclock.commands.team",
      icon: IconUsersGroup,
      needs: timeclockPermissions.view.id,
      run: ({ go }) => go("/jobs/timeclock?view=team"),
    },
    {
      id: "timeclock.inactive",
      label: "timeclock.commands.inactive",
      icon: IconUserOff,
      needs: timeclockPermissions.view.id,
      run: ({ go }) => go("/jobs/timeclock/inactive"),
    },
    {
      id: "timeclock.periods",
      label: "timeclock.commands.periods",
      icon: IconCalendarDollar,
      needs: timeclockPermissions.close.id,
      run: ({ go }) => go("/jobs/timeclock/periods"),
    },
  ],
  home: [
    {
      id: "timeclock.week",
      ofJob: true,
      for: ["member"],
      urgency: 55,
      card: part(["timeclock"], () => import("./card.tsx")),
    },
  ],
  colleague: [
    {
      id: "timeclock.person",
      position: 20,
      label: "timeclock.commands.person",
      needs: timeclockPermissions.view.id,
      tab: part(["timeclock"], () => import("./colleagueTab.tsx")),
    },
  ],
  leads: [timeclockPermissions.approve.id],
};
