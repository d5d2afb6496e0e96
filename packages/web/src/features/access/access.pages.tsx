import { createRoute } from "@tanstack/react-router";
import { IconKey, IconShieldCheck, IconShieldHalf } from "@tabler/icons-react";
import { accessPermissions } from "@rollcall/server/contract/access";
import { page, type FeaturePages } from "#core/pages.ts";
import { pickSearch } from "#core/search.ts";
import { SeeAsBanner } from "./seeAs.tsx";

const rolePermissions = [accessPermissions.viewRoles.id, accessPermissions.editRoles.id];

export const accessPages: FeaturePages = {
  alone: "config",
  // The default role belongs to no job; all else here is that of a character's job.
  aloneAt: ["/panel/roles"],
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/roles",
      validateSearch: (search) => pickSearch(search, { grade: 7 }),
      component: page(["access", "fields"], () => import("./roles.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/limits",
      validateSearch: (search) => pickSearch(search, { job: 50 }),
      component: page(["access", "fields"], () => import("./limits.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/rights",
      validateSearch: (search) => pickSearch(search, { who: 40 }),
      component: page(["access", "citizens", "fields"], () => import("./rights.tsx")),
    }),
  ],
  banners: [{ id: "access.seeAs", position: 50, banner: SeeAsBanner }],
  leads: [accessPermissions.editRoles.id],
  navigation: [
    {
      group: "control",
      position: 20,
      to: "/panel/roles",
      label: "web.places.roles",
      icon: IconShieldCheck,
      letter: "r",
      needs: rolePermissions,
      admins: "config",
      drafts: "access.role.",
    },
    {
      group: "control",
      position: 30,
      to: "/panel/limits",
      label: "web.places.limits",
      icon: IconShieldHalf,
      letter: "l",
      admins: "job",
      drafts: "access.limits.",
    },
    {
      group: "control",
      position: 40,
      to: "/panel/rights",
      label: "web.places.rights",
      icon: IconKey,
      letter: "p",
      needs: rolePermissions,
    },
  ],
};
