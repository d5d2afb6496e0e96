import { createRoute } from "@tanstack/react-router";
import { IconDeviceTv } from "@tabler/icons-react";
import { wallboardPermissions } from "@rollcall/server/contract/wallboard";
import { page, type FeaturePages } from "#core/pages.ts";

/** The board itself is outside of the application: it needs no account. */
export const wallboardPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/units/wallboard",
      component: page(["wallboard"], () => import("./setup.tsx")),
    }),
  ],
  navigation: [],
  commands: [
    {
      id: "wallboard.setup",
      label: "wallboard.commands.setup",
      icon: IconDeviceTv,
      needs: wallboardPermissions.manage.id,
      run: ({ go }) => go("/units/wallboard"),
    },
  ],
};
