import { createRoute } from "@tanstack/react-router";
import { IconArchive, IconPhoneCall, IconPhonePlus, IconSettings } from "@tabler/icons-react";
import { callsPermissions } from "@rollcall/server/contract/calls";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { archiveSearch } from "./archive.search.ts";
import { callsSearch } from "./calls.search.ts";

export const callsPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/calls",
      validateSearch: callsSearch,
      component: page(["calls"], () => import("./calls.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: page(["calls"], async () => ({ default: (await import("./calls.tsx")).CallDetail })),
    });
    const setup = createRoute({
      getParentRoute: () => parent,
      path: "/calls/setup",
      component: page(["calls"], () => import("./setup.tsx")),
    });
    const archive = createRoute({
      getParentRoute: () => parent,
      path: "/dispatch/archive",
      validateSearch: archiveSearch,
      component: page(["calls", "units"], () => import("./archive.tsx")),
    });
    const archived = createRoute({
      getParentRoute: () => archive,
      path: "$id",
      component: page(["calls", "units"], async () => ({ default: (await import("./archive.tsx")).ArchivedCall })),
    });
    return [list.addChildren([detail]), setup, archive.addChildren([archived])];
  },
  navigation: [
    {
      group: "dispatch",
      position: 10,
      to: "/calls",
      label: "calls.title",
      icon: IconPhoneCall,
      needs: [callsPermissions.view.id, callsPermissions.create.id],
      drafts: "call.",
    },
    {
      group: "dispatch",
      position: 40,
      to: "/dispatch/archive",
      label: "calls.commands.archive",
      icon: IconArchive,
      needs: [callsPermissions.view.id],
    },
  ],
  commands: [
    {
      id: "calls.new",
      label: "calls.commands.new",
      icon: IconPhonePlus,
      needs: callsPermissions.create.id,
      run: ({ go }) => go("/calls?new=1"),
    },
    {
      id: "calls.setup",
      label: "calls.commands.setup",
      icon: IconSettings,
      needs: callsPermissions.setup.id,
      run: ({ go }) => go("/calls/setup"),
    },
  ],
  home: [
    {
      id: "calls.present",
      ofJob: true,
      for: ["citizen", "member"],
      urgency: 85,
      needs: [callsPermissions.view.id, callsPermissions.create.id],
      card: part(["calls"], () => import("./card.tsx")),
    },
  ],
  jumps: [{ kind: "calls", prefix: "DSP", label: "calls.title", icon: IconPhoneCall, href: (id) => `/calls/${id}` }],
};
