import type { FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";

export const realtimePages: FeaturePages = {
  routes: () => [],
  navigation: [],
  home: [{ id: "realtime.presence", for: ["citizen"], urgency: 50, card: part(["realtime"], () => import("./presence.tsx")) }],
};
