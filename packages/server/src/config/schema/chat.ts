import { accept, refuse } from "../parsed.ts";
import type { TreeNode } from "../tree.ts";
import { entryMap } from "./collections.ts";
import { define, flag, scalarFromText, reportParsed, text, textual } from "./kinds.ts";
import type { Option, Reading } from "./option.ts";

function parseColor(value: string) {
  return /^#[0-9a-f]{6}$/i.test(value)
    ? accept(value.toUpperCase())
    : refuse(`"${value}" is not a colour`, 'write "#RRGGBB" in quotes, for example "#9B59B6"');
}

/** A permission bit field as decimal digits; read from the source text, because YAML numbers lose digits. */
const permissions: Option<string | null> = define<string | null>(
  {
    type: "string",
    absent: null,
    read: (node: TreeNode, reading: Reading) => {
      const written =
        node.kind === "scalar" && (typeof node.value === "number" || typeof node.value === "string") ? node.text : "";
      return reportParsed(
        /^\d{1,20}$/.test(written)
          ? accept(written)
          : refuse("is not a bit field of permissions", 'write a whole number, for example 8 or "8"'),
        node,
        reading,
      );
    },
    fromText: scalarFromText,
  },
  { meaning: "Permissions of the role, as a bit field.", example: "0" },
);

const groupRole = {
  roleName: text({ required: true, example: "Staff", meaning: "Name of the chat role." }),
  permissions,
  color: textual({ example: '"#9B59B6"', meaning: "Colour of the role." }, { parse: parseColor }),
  notSameJob: flag({
    default: false,
    meaning: "Leave out members who have a character in the job of that chat server.",
  }),
};

export const chat = {
  enabled: flag({ default: true, meaning: "Connect to the chat platform; it stays off without chat.token." }),
  dryRun: flag({
    default: false,
    meaning: "Work out what would change, without changing roles or sending messages.",
  }),
  token: text({ secret: true, example: '"(bot token)"', meaning: "Token of the bot." }),
  sync: flag({ default: true, meaning: "Keep roles in step with the game." }),
  groupSync: {
    enabled: flag({ default: true, meaning: "Give roles by group." }),
    mapping: entryMap(
      {
        example: "{admin: {roleName: Staff}}",
        meaning: "The chat role of each group; names of groups keep their case.",
      },
      groupRole,
    ),
  },
  userInfoSync: {
    enabled: flag({ default: true, meaning: "Give roles by job, grade and qualification." }),
    gradeRoleFormat: text({ default: "[%grade%] %grade_label%", meaning: "Name of the role of a grade." }),
    employeeRoleFormat: text({
      default: "%s Employees",
      meaning: "Name of the role of all employees; %s is the job.",
    }),
    unemployedRoleName: text({
      default: "Citizen",
      meaning: "Name of the role of people without a job there.",
    }),
    jobsAbsceneRoleName: text({ default: "Absent", meaning: "Name of the role of absent people." }),
  },
  qualifications: { enabled: flag({ default: true, meaning: "Give roles by qualification." }) },
  commands: {
    enabled: flag({ default: true, meaning: "Offer commands in the chat." }),
    absent: flag({ default: true, meaning: "Offer the command absent." }),
    service: flag({ default: true, meaning: "Offer the command rollcall." }),
    help: flag({ default: true, meaning: "Offer the command help." }),
    sync: flag({ default: true, meaning: "Offer the command sync." }),
  },
  calendarReminders: flag({ default: true, meaning: "Send calendar reminders in the chat." }),
};
