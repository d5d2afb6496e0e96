import { IconCar, IconCarOff, IconCoffee, IconDoorExit, IconPlus, IconSettings, IconTool } from "@tabler/icons-react";
import { type BaseKind, unitsPermissions } from "@rollcall/server/contract/units";
import type { Command } from "#core/pages.ts";

const set = (base: BaseKind) => async () => await (await import("./change.ts")).setOwnStatus(base);

/** What they do is loaded when they are chosen: they are offered on every page. */
export const unitsCommands: readonly Command[] = [
  {
    id: "units.available",
    label: "units.commands.available",
    icon: IconCar,
    members: true,
    run: set("available"),
  },
  {
    id: "units.busy",
    label: "units.commands.busy",
    icon: IconTool,
    members: true,
    run: set("busy"),
  },
  {
    id: "units.break",
    label: "units.commands.break",
    icon: IconCoffee,
    members: true,
    run: set("break"),
  },
  {
    id: "units.unavailable",
    label: "units.commands.unavailable",
    icon: IconCarOff,
    members: true,
    run: set("unavailable"),
  },
  {
    id: "units.leave",
    label: "units.commands.leave",
    icon: IconDoorExit,
    members: true,
    run: async () => await (await import("./change.ts")).leaveOwn(),
  },
  {
    id: "units.temporary",
    label: "units.commands.temporary",
    icon: IconPlus,
    needs: unitsPermissions.temporary.id,
    run: ({ go }) => go("/units?temporary=1"),
  },
  {
    id: "units.setup",
    label: "units.commands.setup",
    icon: IconSettings,
    needs: unitsPermissions.manage.id,
    run: ({ go }) => go("/units/setup"),
  },
];
