import type { FeaturePages } from "#core/pages.ts";
import { WaypointNews } from "./news.tsx";

export const ingamePages: FeaturePages = {
  routes: () => [],
  navigation: [],
  banners: [{ id: "ingame.waypoint", position: 90, banner: WaypointNews }],
};
