import { IconMapPin, IconNavigation, IconUserPin } from "@tabler/icons-react";
import { positionsPermissions } from "@rollcall/server/contract/positions";
import type { FeaturePages } from "#core/pages.ts";
import { mapHasPostals } from "./postals.api.ts";

export const postalsPages: FeaturePages = {
  routes: () => [],
  navigation: [],
  jumps: [
    {
      kind: "postals",
      label: "postals.name",
      icon: IconMapPin,
      given: mapHasPostals,
      actions: [
        {
          id: "postals.near",
          label: "postals.commands.near",
          icon: IconUserPin,
          needs: positionsPermissions.view.id,
          run: (_id, { go }, code) => go(`/places?postal=${encodeURIComponent(code)}`),
        },
        {
          id: "postals.waypoint",
          label: "postals.commands.waypoint",
          icon: IconNavigation,
          members: true,
          run: async (_id, _context, code) => await (await import("#features/ingame/ingame.api.ts")).setWaypointTo(code),
        },
      ],
    },
  ],
};
