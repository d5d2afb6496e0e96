import { IconNavigation } from "@tabler/icons-react";
import type { Command } from "#core/pages.ts";
import { mapHasPostals } from "#features/postals/postals.api.ts";

/** Loaded when they are chosen: they are offered on every page. */
export const positionsCommands: readonly Command[] = [
  {
    id: "positions.waypoint",
    label: "positions.commands.waypoint",
    typed: { label: "positions.commands.waypointTo" },
    given: mapHasPostals,
    icon: IconNavigation,
    members: true,
    run: async (_context, postal) => await (await import("#features/ingame/ingame.api.ts")).setWaypointTo(postal),
  },
];
