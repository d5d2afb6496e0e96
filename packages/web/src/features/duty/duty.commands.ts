import { IconClockPause, IconClockPlay } from "@tabler/icons-react";
import type { Command } from "#core/pages.ts";

/** Loaded when they are chosen: they are offered on every page. */
export const dutyCommands: readonly Command[] = [
  {
    id: "duty.begin",
    label: "duty.commands.begin",
    icon: IconClockPlay,
    members: true,
    run: async (context) => await (await import("./change.ts")).goOnDuty(context),
  },
  {
    id: "duty.end",
    label: "duty.commands.end",
    icon: IconClockPause,
    members: true,
    run: async () => await (await import("./change.ts")).goOffDuty(),
  },
];
