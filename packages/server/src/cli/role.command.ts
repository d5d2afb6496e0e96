import { defineCommand } from "citty";
import type { AttributeValue, GradesOfJob } from "#core/contract/index.ts";
import { accessApi } from "#features/access/access.api.ts";
import { command as strict, CommandError, configArg } from "./command.ts";
import { withApp } from "./with-app.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);

const roleArgs = {
  job: {
    type: "string",
    valueHint: "JOB",
    description: "Job; the default role, which everyone inherits, when left out",
  },
  grade: {
    type: "string",
    valueHint: "N",
    description: "Grade from which it applies; game.startJobGrade when left out",
  },
  ...configArg,
} as const;

const permissionArg = {
  permission: { type: "positional", required: true, description: "Permission, for example citizens.list" },
} as const;

function gradeOf(text: string | undefined): { grade?: number } {
  if (text === undefined) return {};
  const grade = Number(text);
  if (!Number.isInteger(grade)) throw new CommandError(`--grade ${text} is not a whole number`, 2);
  return { grade };
}

const whole = /^\d{1,4}$/;

/** `police:3` up to a grade, `police:0+2` only these grades. */
function gradesOf(text: string): [string, GradesOfJob] {
  const [job = "", grades = ""] = text.split(":", 2);
  const numbers = grades.split("+");
  if (!numbers.every((one) => whole.test(one))) throw new CommandError(`${text} is not job:grade or job:grade+grade`, 2);
  return [job, numbers.length > 1 ? numbers.map(Number) : Number(grades)];
}

/** `fields=phone,job` becomes `{fields: ["phone", "job"]}`, `jobs=police:3` becomes `{jobs: {police: 3}}`. */
function attributesOf(text: string | undefined): Record<string, AttributeValue> {
  const pairs = (text ?? "").split(";").filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", values = ""] = pair.split("=", 2);
      if (!pair.includes("=")) throw new CommandError(`--attributes ${pair} is not name=value,value`, 2);
      const list = values
        .split(",")
        .map((one) => one.trim())
        .filter(Boolean);
      const ofGrades = list.some((one) => one.includes(":"));
      return [name.trim(), ofGrades ? Object.fromEntries(list.map(gradesOf)) : list];
    }),
  );
}

const list = strict({
  meta: { name: "list", description: "List roles and what they grant" },
  args: configArg,
  async run({ args }) {
    await withApp(args.config, async ({ features, db }) => {
      const roles = await db.read("cli.roleList", async (tx) => await features.api(accessApi).roles(tx));
      for (const { job, grade, grants } of roles) {
        for (const [permission, { allow, attributes }] of grants) {
          const detail = Object.entries(attributes)
            .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
            .join(" ");
          write([job || "(default)", grade, allow ? "allow" : "deny", permission, detail].join("\t"));
        }
      }
    });
  },
});

function changing(name: "allow" | "deny" | "inherit", description: string) {
  return strict({
    meta: { name, description },
    args: {
      ...permissionArg,
      attributes: {
        type: "string",
        valueHint: "NAME=A,B",
        description: "Attributes, several separated by ;. Grades of jobs as job:3 (up to 3) or job:0+2 (only these)",
      },
      ...roleArgs,
    },
    async run({ args }) {
      const grant = name === "inherit" ? null : { allow: name === "allow", attributes: attributesOf(args.attributes) };
      await withApp(args.config, async ({ features, db, actor }) => {
        const change = { job: args.job ?? "", ...gradeOf(args.grade), grants: { [args.permission]: grant } };
        await db.write("cli.role", async (tx) => await features.api(accessApi).change(tx, actor, change));
        write(`${args.job ?? "default role"}: ${name} ${args.permission}`);
      });
    },
  });
}

export const command = defineCommand({
  meta: { name: "role", description: "See and change what jobs and grades may do" },
  subCommands: {
    list,
    allow: changing("allow", "Grant a permission from a grade upwards"),
    deny: changing("deny", "Deny a permission from a grade upwards"),
    inherit: changing("inherit", "Take a mention away, so that the permission is inherited again"),
  },
});
