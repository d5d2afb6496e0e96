import { createRoute } from "@tanstack/react-router";
import { IconAlertOctagon, IconAlertTriangle, IconBellCheck, IconChartBar, IconSettings } from "@tabler/icons-react";
import { panicPermissions } from "@rollcall/server/contract/panic";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { PanicBanner } from "./banner.tsx";
import { panicSearch } from "./panic.search.ts";

export const panicPages: FeaturePages = {
  routes: (parent) => {
    const list = createRoute({
      getParentRoute: () => parent,
      path: "/panic",
      validateSearch: panicSearch,
      component: page(["panic"], () => import("./panic.tsx")),
    });
    const detail = createRoute({
      getParentRoute: () => list,
      path: "$id",
      component: page(["panic"], async () => ({ default: (await import("./panic.tsx")).PanicDetail })),
    });
    const setup = createRoute({
      getParentRoute: () => parent,
      path: "/panic/setup",
      component: page(["panic"], () => import("./setup.tsx")),
    });
    const statistics = createRoute({
      getParentRoute: () => parent,
      path: "/panic/statistics",
      component: page(["panic"], () => import("./statistics.tsx")),
    });
    return [list.addChildren([detail]), setup, statistics];
  },
  navigation: [
    {
      group: "dispatch",
      position: 30,
      to: "/panic",
      label: "panic.title",
      icon: IconAlertTriangle,
      needs: [panicPermissions.view.id, panicPermissions.answer.id],
    },
  ],
  banners: [{ id: "panic.alarm", position: 5, banner: PanicBanner }],
  // What they do is loaded when they are chosen: they are offered on every page.
  commands: [
    {
      id: "panic.press",
      label: "panic.commands.press",
      icon: IconAlertOctagon,
      members: true,
      run: async () => await (await import("./change.ts")).pressByCommand(),
    },
    {
      id: "panic.acknowledge",
      label: "panic.commands.acknowledge",
      icon: IconBellCheck,
      members: true,
      run: async (context) => await (await import("./change.ts")).acknowledgeByCommand(context),
    },
    {
      id: "panic.statistics",
      label: "panic.commands.statistics",
      icon: IconChartBar,
      needs: panicPermissions.view.id,
      run: ({ go }) => go("/panic/statistics"),
    },
    {
      id: "panic.setup",
      label: "panic.commands.setup",
      icon: IconSettings,
      needs: panicPermissions.setup.id,
      run: ({ go }) => go("/panic/setup"),
    },
  ],
  home: [
    {
      id: "panic.button",
      ofJob: true,
      for: ["citizen", "member"],
      urgency: 72,
      card: part(["panic"], () => import("./card.tsx")),
    },
  ],
};
