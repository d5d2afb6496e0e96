import { createRoute } from "@tanstack/react-router";
import { IconRefresh, IconUsers } from "@tabler/icons-react";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { jobsPermissions } from "@rollcall/server/contract/jobs";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { citizensSearch } from "./citizens.search.ts";

export const citizensPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/citizens",
      validateSearch: citizensSearch,
      component: page(["citizens"], () => import("./citizens.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: page(["citizens", "fields"], () => import("./detail.tsx")),
    });
    return [list.addChildren([detail])];
  },
  navigation: [
    {
      group: "records",
      position: 10,
      to: "/citizens",
      label: "citizens.title",
      icon: IconUsers,
      needs: citizensPermissions.list.id,
      letter: "c",
    },
  ],
  home: [
    {
      id: "citizens.moves",
      ofJob: true,
      for: ["leader"],
      urgency: 65,
      needs: [jobsPermissions.properties.id, jobsPermissions.message.id],
      card: part(["citizens"], () => import("./moves.tsx")),
    },
    {
      id: "citizens.own",
      for: ["citizen"],
      urgency: 45,
      memberUrgency: 20,
      card: part(["citizens"], () => import("./own.tsx")),
    },
  ],
  profile: [
    {
      id: "citizens.resync",
      position: 90,
      needs: citizensPermissions.resync.id,
      section: part(["citizens"], async () => ({ default: (await import("./resync.tsx")).ResyncSection })),
    },
  ],
  jumps: [
    {
      kind: "citizens",
      prefix: "CIT",
      label: "citizens.title",
      icon: IconUsers,
      href: (id) => `/citizens/${id}`,
      list: {
        label: "citizens.commands.search",
        needs: citizensPermissions.list.id,
        href: (text) => `/citizens?q=${encodeURIComponent(text)}`,
      },
      actions: [
        {
          id: "citizens.resync",
          label: "citizens.commands.resync",
          icon: IconRefresh,
          needs: citizensPermissions.resync.id,
          run: async (id, { go }) => {
            await (await import("./citizens.queries.ts")).requestResyncOf(id);
            go(`/citizens/${id}`);
          },
        },
      ],
    },
  ],
};
