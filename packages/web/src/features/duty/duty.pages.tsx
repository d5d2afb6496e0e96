import { createRoute } from "@tanstack/react-router";
import { IconChartBar, IconUserCheck } from "@tabler/icons-react";
import { dutyPermissions } from "@rollcall/server/contract/duty";
import { page, type FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import { DutyControl } from "./control.tsx";
import { dutyCommands } from "./duty.commands.ts";
import { dutySearch, hoursSearch } from "./duty.search.ts";

export const dutyPages: FeaturePages = {
  routes: (parent) => [
    createRoute({
      getParentRoute: () => parent,
      path: "/duty",
      validateSearch: dutySearch,
      component: page(["duty"], () => import("./duty.tsx")),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: "/duty/hours",
      validateSearch: hoursSearch,
      component: page(["duty"], () => import("./hours.tsx")),
    }),
  ],
  navigation: [
    {
      group: "job",
      position: 10,
      to: "/duty",
      label: "duty.title",
      icon: IconUserCheck,
      letter: "d",
      members: true,
    },
    {
      group: "job",
      position: 16,
      to: "/duty/hours",
      label: "duty.commands.hours",
      icon: IconChartBar,
      needs: dutyPermissions.statistics.id,
    },
  ],
  bar: [{ id: "duty.own", position: 10, members: true, control: DutyControl }],
  home: [
    {
      id: "duty.now",
      ofJob: true,
      for: ["member"],
      urgency: 70,
      card: part(["duty"], () => import("./card.tsx")),
    },
  ],
  commands: dutyCommands,
  profile: [
    {
      id: "duty.person",
      position: 10,
      section: part(["duty"], () => import("./person.tsx")),
    },
  ],
  leads: [dutyPermissions.manage.id],
};
