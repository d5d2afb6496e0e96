import { createRoute } from "@tanstack/react-router";
import { IconBriefcase, IconBuilding } from "@tabler/icons-react";
import { jobsPermissions } from "@rollcall/server/contract/jobs";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";

export const jobsPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/jobs",
      component: page(["jobs"], () => import("./properties.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/jobs/overview",
      component: page(["jobs"], () => import("./overview.tsx")),
    }),
  ],
  home: [
    {
      id: "jobs.message",
      for: ["member"],
      urgency: 60,
      card: part(["jobs"], async () => ({ default: (await import("./message.tsx")).JobMessage })),
    },
  ],
  leads: [jobsPermissions.properties.id, jobsPermissions.message.id],
  navigation: [
    {
      group: "job",
      position: 1,
      to: "/jobs/overview",
      label: "jobs.title.overview",
      icon: IconBuilding,
      members: true,
      drafts: "jobs.message.",
    },
    {
      group: "control",
      position: 10,
      to: "/panel/jobs",
      drafts: "job.",
      label: "web.places.properties",
      icon: IconBriefcase,
      letter: "j",
      needs: [jobsPermissions.properties.id, jobsPermissions.message.id],
    },
  ],
};
