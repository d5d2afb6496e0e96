import { IconCheck, IconCircleCheck, IconHelp, IconHelpOff, IconMapPin, IconRoad, IconX } from "@tabler/icons-react";
import type { Command, FeaturePages } from "#core/pages.ts";
import { part } from "#core/part.ts";
import type { OwnCommand } from "./change.ts";

const command = (id: string, name: OwnCommand, icon: Command["icon"]): Command => ({
  id,
  label: `assignments.commands.${name}`,
  icon,
  members: true,
  run: async (context) => await (await import("./change.ts")).ownCommand(name, context),
});

export const assignmentsPages: FeaturePages = {
  routes: () => [],
  navigation: [],
  // What they do is loaded when they are chosen: they are offered on every page.
  commands: [
    command("assignments.accept", "accept", IconCheck),
    command("assignments.decline", "decline", IconX),
    command("assignments.enRoute", "enRoute", IconRoad),
    command("assignments.onScene", "onScene", IconMapPin),
    command("assignments.needsHelp", "needsHelp", IconHelp),
    command("assignments.helpOver", "helpOver", IconHelpOff),
    command("assignments.finish", "finish", IconCircleCheck),
  ],
  home: [
    {
      id: "assignments.own",
      ofJob: true,
      for: ["member"],
      urgency: 90,
      card: part(["assignments"], () => import("./card.tsx")),
    },
  ],
};
