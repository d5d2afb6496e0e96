import { createRoute } from "@tanstack/react-router";
import { IconUsersPlus, IconUsersGroup } from "@tabler/icons-react";
import { jobgroupsPermissions } from "@rollcall/server/contract/jobgroups";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { jobgroupsSearch } from "./jobgroups.search.ts";

export const jobgroupsPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/groups",
      validateSearch: jobgroupsSearch,
      component: page(["jobgroups"], () => import("./jobgroups.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: page(["jobgroups"], async () => ({ default: (await import("./jobgroups.tsx")).GroupDetail })),
    });
    return [list.addChildren([detail])];
  },
  navigation: [
    {
      group: "job",
      position: 16,
      to: "/groups",
      label: "jobgroups.title",
      icon: IconUsersGroup,
      members: true,
      drafts: "jobgroup.",
    },
  ],
  commands: [
    {
      id: "jobgroups.new",
      label: "jobgroups.commands.new",
      icon: IconUsersPlus,
      needs: jobgroupsPermissions.manage.id,
      run: ({ go }) => go("/groups?new=1"),
    },
  ],
  home: [
    {
      id: "jobgroups.own",
      ofJob: true,
      for: ["member"],
      urgency: 30,
      card: part(["jobgroups"], () => import("./card.tsx")),
    },
  ],
  colleague: [
    {
      id: "jobgroups.person",
      position: 30,
      label: "jobgroups.commands.tab",
      needs: [jobgroupsPermissions.list.id, jobgroupsPermissions.members.id, jobgroupsPermissions.manage.id],
      tab: part(["jobgroups"], () => import("./personTab.tsx")),
    },
  ],
  jumps: [{ kind: "jobgroups", prefix: "GRP", label: "jobgroups.title", icon: IconUsersGroup, href: (id) => `/groups/${id}` }],
  leads: [jobgroupsPermissions.manage.id],
};
