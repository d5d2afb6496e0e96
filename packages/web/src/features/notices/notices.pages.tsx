import type { FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";

export const noticesPages: FeaturePages = {
  routes: () => [],
  navigation: [],
  home: [
    {
      id: "notices.board",
      for: ["citizen"],
      urgency: 40,
      card: part(["notices", "files"], async () => ({ default: (await import("./board.tsx")).Board })),
    },
  ],
};
