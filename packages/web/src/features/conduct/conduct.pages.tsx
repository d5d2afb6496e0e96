import { createRoute } from "@tanstack/react-router";
import { IconCategory, IconClipboardPlus, IconClipboardText, IconClipboardCheck } from "@tabler/icons-react";
import { conductPermissions } from "@rollcall/server/contract/conduct";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { conductSearch } from "./conduct.search.ts";

const register = [conductPermissions.view.id, conductPermissions.write.id];

export const conductPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/conduct",
      validateSearch: conductSearch,
      component: page(["conduct", "files"], () => import("./conduct.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: page(["conduct", "files"], async () => ({ default: (await import("./conduct.tsx")).ConductDetail })),
    });
    const mine = createRoute({
      getParentRoute: () => parent,
      path: "/conduct/mine",
      component: page(["conduct", "files"], () => import("./mine.tsx")),
    });
    const kinds = createRoute({
      getParentRoute: () => parent,
      path: "/conduct/kinds",
      component: page(["conduct"], () => import("./kinds.tsx")),
    });
    return [list.addChildren([detail]), mine, kinds];
  },
  navigation: [
    {
      group: "job",
      position: 16,
      to: "/conduct",
      label: "conduct.title",
      icon: IconClipboardText,
      members: true,
      drafts: "conduct.",
    },
  ],
  commands: [
    {
      id: "conduct.new",
      label: "conduct.commands.new",
      icon: IconClipboardPlus,
      needs: conductPermissions.write.id,
      run: ({ go }) => go("/conduct?new=1"),
    },
    {
      id: "conduct.mine",
      label: "conduct.commands.mine",
      icon: IconClipboardCheck,
      members: true,
      run: ({ go }) => go("/conduct/mine"),
    },
    {
      id: "conduct.kinds",
      label: "conduct.commands.kinds",
      icon: IconCategory,
      needs: conductPermissions.kinds.id,
      run: ({ go }) => go("/conduct/kinds"),
    },
  ],
  home: [
    {
      id: "conduct.waiting",
      ofJob: true,
      for: ["citizen", "member"],
      urgency: 82,
      card: part(["conduct"], () => import("./card.tsx")),
    },
  ],
  colleague: [
    {
      id: "conduct.entries",
      position: 20,
      label: "conduct.commands.tab",
      needs: register,
      tab: part(["conduct"], () => import("./tab.tsx")),
    },
  ],
  leads: [conductPermissions.write.id],
};
