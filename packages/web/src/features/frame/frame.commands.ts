import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconKeyboard,
  IconLink,
  IconLogout,
  IconMoon,
  IconShieldBolt,
  IconShieldOff,
  IconSun,
  IconSwitchHorizontal,
  IconUserCog,
} from "@tabler/icons-react";
import { leaveJobAdmin } from "@rollcall/server/contract/auth";
import type { Command } from "#core/pages.ts";
import { setPreferences } from "#core/preferences.ts";
import { forgetRecent } from "#core/recent.ts";
import { api, session } from "#core/services.ts";

/** What the palette does everywhere. */
export const frameCommands: readonly Command[] = [
  {
    id: "frame.copyLink",
    label: "frame.commands.copyLink",
    icon: IconLink,
    run: async () => await navigator.clipboard.writeText(location.href),
  },
  {
    id: "frame.enterAdmin",
    label: "frame.commands.enterAdmin",
    icon: IconShieldBolt,
    when: ({ account, jobAdmin }) => account.mayJobAdmin && jobAdmin === null,
    run: ({ open }) => open("admin"),
  },
  {
    id: "frame.leaveAdmin",
    label: "frame.commands.leaveAdmin",
    icon: IconShieldOff,
    when: ({ jobAdmin }) => jobAdmin !== null,
    run: async () => {
      await api.call(leaveJobAdmin);
      await session.renewRights();
    },
  },
  { id: "frame.account", label: "frame.commands.account", icon: IconUserCog, run: ({ go }) => go("/account") },
  {
    id: "frame.switchCharacter",
    label: "frame.commands.switchCharacter",
    icon: IconSwitchHorizontal,
    run: async () => await session.leaveCharacter(),
  },
  { id: "frame.dark", label: "frame.commands.dark", icon: IconMoon, run: () => setPreferences({ scheme: "dark" }) },
  { id: "frame.light", label: "frame.commands.light", icon: IconSun, run: () => setPreferences({ scheme: "light" }) },
  {
    id: "frame.compact",
    label: "frame.commands.compact",
    icon: IconBaselineDensitySmall,
    run: () => setPreferences({ density: "compact" }),
  },
  {
    id: "frame.comfortable",
    label: "frame.commands.comfortable",
    icon: IconBaselineDensityMedium,
    run: () => setPreferences({ density: "comfortable" }),
  },
  { id: "frame.help", label: "frame.commands.help", icon: IconKeyboard, run: ({ open }) => open("help") },
  {
    id: "frame.signOut",
    label: "frame.commands.signOut",
    icon: IconLogout,
    run: async ({ identity }) => {
      forgetRecent(identity.character.id);
      await session.signOut();
    },
  },
];
