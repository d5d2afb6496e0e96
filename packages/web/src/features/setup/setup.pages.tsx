import type { FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";

export const setupPages: FeaturePages = {
  routes: () => [],
  navigation: [],
  banners: [
    {
      id: "setup.weakSecrets",
      position: 20,
      admins: "config",
      alone: true,
      banner: part(["setup"], () => import("./secretBanner.tsx")),
    },
  ],
  home: [
    {
      id: "setup.unfinished",
      for: ["administrator"],
      urgency: 100,
      card: part(["setup"], () => import("./hint.tsx")),
    },
  ],
};
