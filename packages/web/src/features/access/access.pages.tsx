import { createRoute } from "@tanstack/react-router";
import { IconKey, IconShieldCheck, IconShieldHalf } from "@tabler/icons-react";
import { accessPermissions } from "@rollcall/server/contract/access";
import { page, type FeaturePages } from "#core/pages.ts";
import { pickSearch } from "#core/search.ts";
import { SeeAsBanner } from "./seeAs.tsx";

const rolePermissions = [accessPermissions.viewRoles.id, accessPermissions.editRoles.id];

export const accessPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/roles",
      validateSearch: (search) => pickSearch(search, { grade: 7 }),
      component: page(["access"], () => import("./roles.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/limits",
      validateSearch: (search) => pickSearch(search, { job: 50 }),
      component: page(["access"], () => import("./limits.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/panel/rights",
      validateSearch: (search) => pickSearch(search, { who: 40 }),
      component: page(["access", "citizens"], () => import("./rights.tsx")),
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
      needs: rolePermissions,
      admins: "config",
    },
    { group: "control", position: 30, to: "/panel/limits", label: "web.places.limits", icon: IconShieldHalf, admins: "job" },
    { group: "control", position: 40, to: "/panel/rights", label: "web.places.rights", icon: IconKey, needs: rolePermissions },
  ],
};
