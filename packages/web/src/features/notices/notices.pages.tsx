import { IconPlus } from "@tabler/icons-react";
import { noticesPermissions } from "@rollcall/server/contract/notices";
import type { FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";

export const noticesPages: FeaturePages = {
  routes: () => [],
  navigation: [],
  commands: [
    {
      id: "notices.new",
      label: "notices.commands.new",
      icon: IconPlus,
      needs: noticesPermissions.create.id,
      run: ({ go }) => go("/?notice=new"),
    },
  ],
  home: [
    {
      id: "notices.board",
      for: ["citizen"],
      urgency: 40,
      card: part(["notices", "files"], async () => ({ default: (await import("./board.tsx")).Board })),
    },
  ],
};
