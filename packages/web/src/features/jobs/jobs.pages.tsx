import { createRoute } from "@tanstack/react-router";
import { IconBriefcase } from "@tabler/icons-react";
import { jobsPermissions } from "@rollcall/server/contract/jobs";
import { panelPage, type FeaturePages } from "#core/pages.ts";

export const jobsPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/jobs",
      component: panelPage(() => import("./properties.tsx")),
    }),
  ],
  navigation: [
    {
      group: "control",
      position: 10,
      to: "/panel/jobs",
      label: "web.places.properties",
      icon: IconBriefcase,
      needs: [jobsPermissions.properties.id, jobsPermissions.message.id],
    },
  ],
};
