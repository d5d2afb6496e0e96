import type { FeaturePages } from "#core/pages.ts";
import { AdminBanner, ConnectionBanner } from "./banners.tsx";
import { frameCommands } from "./frame.commands.ts";

export const framePages: FeaturePages = {
  routes: () => [],
  navigation: [],
  commands: frameCommands,
  shortcuts: [
    { keys: "Ctrl+K", label: "frame.keys.search", run: ({ open }) => open("search") },
    { keys: "?", label: "frame.keys.help", run: ({ open }) => open("help") },
  ],
  banners: [
    { id: "frame.connection", position: 30, banner: ConnectionBanner },
    { id: "frame.admin", position: 40, banner: AdminBanner },
  ],
};
