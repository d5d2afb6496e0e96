import { createRoute } from "@tanstack/react-router";
import { IconChartBar, IconHistory, IconTags, IconUsersGroup } from "@tabler/icons-react";
import { colleaguesPermissions } from "@rollcall/server/contract/colleagues";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { activitySearch, colleaguesSearch, tabSearch } from "./colleagues.search.ts";

export const colleaguesPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/jobs/colleagues",
      validateSearch: colleaguesSearch,
      component: page(["colleagues", "fields"], () => import("./colleagues.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      validateSearch: tabSearch,
      component: page(["colleagues", "fields"], async () => ({ default: (await import("./colleagues.tsx")).ColleagueDetail })),
    });
    const labels = createRoute({
      getParentRoute: () => parent,
      path: "/jobs/colleagues/labels",
      component: page(["colleagues"], () => import("./labels.tsx")),
    });
    const activity = createRoute({
      getParentRoute: () => parent,
      path: "/jobs/activity",
      validateSearch: activitySearch,
      component: page(["colleagues", "fields"], () => import("./activityPage.tsx")),
    });
    const statistics = createRoute({
      getParentRoute: () => parent,
      path: "/jobs/statistics",
      component: page(["colleagues"], () => import("./statistics.tsx")),
    });
    return [list.addChildren([detail]), labels, activity, statistics];
  },
  navigation: [
    {
      group: "job",
      position: 12,
      to: "/jobs/colleagues",
      label: "colleagues.title",
      icon: IconUsersGroup,
      needs: colleaguesPermissions.list.id,
      drafts: "colleague.",
    },
    {
      group: "job",
      position: 14,
      to: "/jobs/activity",
      label: "colleagues.commands.activity",
      icon: IconHistory,
      needs: colleaguesPermissions.activity.id,
    },
    {
      group: "job",
      position: 16,
      to: "/jobs/statistics",
      label: "colleagues.commands.statistics",
      icon: IconChartBar,
      needs: colleaguesPermissions.statistics.id,
    },
  ],
  jumps: [
    {
      kind: "colleagues",
      label: "colleagues.title",
      icon: IconUsersGroup,
      href: (id) => `/jobs/colleagues/${id}`,
      list: {
        label: "colleagues.commands.search",
        needs: colleaguesPermissions.list.id,
        href: (text) => `/jobs/colleagues?q=${encodeURIComponent(text)}`,
      },
    },
  ],
  commands: [
    {
      id: "colleagues.labels",
      label: "colleagues.commands.labels",
      icon: IconTags,
      needs: colleaguesPermissions.labels.id,
      run: ({ go }) => go("/jobs/colleagues/labels"),
    },
    {
      id: "colleagues.onDuty",
      label: "colleagues.commands.onDuty",
      icon: IconUsersGroup,
      needs: colleaguesPermissions.list.id,
      run: ({ go }) => go("/jobs/colleagues?duty=on"),
    },
  ],
  home: [
    {
      id: "colleagues.expiring",
      ofJob: true,
      for: ["leader"],
      urgency: 45,
      needs: colleaguesPermissions.edit.id,
      card: part(["colleagues"], () => import("./card.tsx")),
    },
  ],
  leads: [colleaguesPermissions.edit.id],
};
