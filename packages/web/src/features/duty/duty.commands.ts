import { IconAdjustments, IconClockPause, IconClockPlay } from "@tabler/icons-react";
import { dutyPermissions, getOwnDuty } from "@rollcall/server/contract/duty";
import { whileAnswer } from "#core/conditions.ts";
import type { Command } from "#core/pages.ts";

const mayBegin = whileAnswer(getOwnDuty, {}, ({ duty, jobs }) => duty === null && jobs.some((one) => one.mayBegin));
const mayEnd = whileAnswer(getOwnDuty, {}, (own) => own.duty !== null && own.mayEnd);

/** Loaded when they are chosen: they are offered on every page. */
export const dutyCommands: readonly Command[] = [
  {
    id: "duty.begin",
    label: "duty.commands.begin",
    icon: IconClockPlay,
    given: mayBegin,
    members: true,
    run: async (context) => await (await import("./change.ts")).goOnDuty(context),
  },
  {
    id: "duty.end",
    label: "duty.commands.end",
    icon: IconClockPause,
    given: mayEnd,
    members: true,
    run: async () => await (await import("./change.ts")).goOffDuty(),
  },
  {
    id: "duty.rules",
    label: "duty.commands.rules",
    icon: IconAdjustments,
    needs: dutyPermissions.manage.id,
    run: ({ go }) => go("/duty?rules=1"),
  },
];
