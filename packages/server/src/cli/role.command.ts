import { defineCommand } from "citty";
import { type AttributeValue, type GradesOfJob, type PermissionDefinition, ranks } from "#core/contract/index.ts";
import type { CommandApp } from "#app/command-app.ts";
import { features as allFeatures } from "#app/features.ts";
import { nearestName } from "#core/nearest.ts";
import { createPermissionTexts } from "#core/texts.ts";
import { accessApi } from "#features/access/access.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { command as strict, CommandError, configArg } from "./command.ts";
import { withApp } from "./with-app.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);

const roleArgs = {
  job: {
    type: "string",
    valueHint: "JOB",
    description: "Job; if omitted, the default role, which everyone inherits",
  },
  grade: {
    type: "string",
    valueHint: "N",
    description: "Grade from which it applies; game.startJobGrade if omitted",
  },
  ...configArg,
} as const;

const permissionArg = {
  permission: { type: "positional", required: true, description: "Permission, for example citizens.list" },
} as const;

function gradeOf(text: string | undefined, job: string | undefined): { grade?: number } {
  if (text === undefined) return {};
  if (job === undefined)
    throw new CommandError("--grade needs --job: the default role is everybody's, whatever their grade; write --job JOB", 2);
  const grade = Number(text);
  if (!Number.isInteger(grade)) throw new CommandError(`--grade ${text} is not a whole number`, 2);
  return { grade };
}

/** Throws for a job or a grade that the game does not have: a role of theirs would reach nobody. */
async function requireKnown({ features, db }: CommandApp, name: string, grade: number | undefined): Promise<void> {
  const jobs = await db.read("cli.jobs", async (tx) => await features.api(jobsApi).list(tx));
  const job = jobs.find((one) => one.name === name);
  if (job === undefined) {
    const nearest = nearestName(
      name,
      jobs.map((one) => one.name),
    );
    const instead =
      jobs.length === 0 ? "the game server has sent no jobs yet" : nearest ? `write ${nearest}` : "rollcall role jobs lists them";
    throw new CommandError(`--job ${name} is not a job of the game; ${instead}`, 2);
  }
  if (grade === undefined || job.grades.some((one) => one.grade === grade)) return;
  const grades = job.grades.map((one) => `${one.grade} (${one.label})`).join(", ");
  throw new CommandError(`--grade ${grade} is not a grade of ${name}; it has ${grades || "none"}`, 2);
}

/** Throws for a permission or an attribute that does not exist, and names what there is. */
export function requireNamed(
  all: readonly PermissionDefinition[],
  permission: string,
  attributes: Readonly<Record<string, unknown>>,
): void {
  const found = all.find(({ id }) => id === permission);
  if (found === undefined) {
    const nearest = nearestName(
      permission,
      all.map(({ id }) => id),
    );
    throw new CommandError(
      `${permission} is not a permission; ${nearest ? `write ${nearest}` : "rollcall role permissions lists them"}`,
      2,
    );
  }
  const known = Object.keys(found.attributes);
  const wrong = Object.keys(attributes).find((name) => !known.includes(name));
  if (wrong !== undefined)
    throw new CommandError(`--attributes ${wrong} is not an attribute of ${permission}; it has ${known.join(", ") || "none"}`, 2);
  for (const [name, value] of Object.entries(attributes)) {
    const definition = found.attributes[name]!;
    const values = definition.type === "strings" ? definition.values : definition.type === "rank" ? ranks : null;
    const odd = values !== null && Array.isArray(value) ? value.find((one: string) => !values.includes(one)) : undefined;
    if (odd !== undefined && values !== null)
      throw new CommandError(`--attributes ${name}=${odd} is not a value of ${permission}; there are ${values.join(", ")}`, 2);
  }
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
      if (roles.every(({ grants }) => grants.size === 0))
        process.stderr.write(
          "No role grants anything yet. Grant a permission with rollcall role allow; rollcall role permissions lists all of them.\n",
        );
    });
  },
});

const permissions = strict({
  meta: { name: "permissions", description: "List the permissions that roles can grant, with their attributes" },
  args: configArg,
  async run({ args }) {
    await withApp(args.config, async ({ features }) => {
      const textOf = createPermissionTexts(allFeatures.map(({ name }) => name));
      for (const { id, attributes } of features.registry.permissions())
        write([id, textOf(id), Object.keys(attributes).join(",") || "-"].join("\t"));
    });
  },
});

const jobs = strict({
  meta: { name: "jobs", description: "List the jobs of the game with their grades" },
  args: configArg,
  async run({ args }) {
    await withApp(args.config, async ({ features, db }) => {
      const found = await db.read("cli.jobs", async (tx) => await features.api(jobsApi).list(tx));
      for (const { name, label, grades } of found)
        write([name, label, grades.map((one) => `${one.grade} ${one.label}`).join(", ")].join("\t"));
      if (found.length === 0) process.stderr.write("The game server has sent no jobs yet.\n");
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
      const chosen = gradeOf(args.grade, args.job);
      await withApp(args.config, async (app) => {
        const { features, db, actor, config } = app;
        // What was given to a job that is gone can still be taken away.
        if (args.job !== undefined && grant !== null) await requireKnown(app, args.job, chosen.grade);
        if (grant !== null) requireNamed(features.registry.permissions(), args.permission, grant.attributes);
        const change = { job: args.job ?? "", ...chosen, grants: { [args.permission]: grant } };
        await db.write("cli.role", async (tx) => await features.api(accessApi).change(tx, actor, change));
        const whose =
          args.job === undefined
            ? "the default role, which everybody inherits"
            : `${args.job} from grade ${chosen.grade ?? config.game.startJobGrade}`;
        write(`${whose}: ${name} ${args.permission}`);
      });
    },
  });
}

export const command = defineCommand({
  meta: { name: "role", description: "View and change the roles of jobs and grades" },
  subCommands: {
    list,
    permissions,
    jobs,
    allow: changing("allow", "Grant a permission from a grade upwards"),
    deny: changing("deny", "Deny a permission from a grade upwards"),
    inherit: changing("inherit", "Take a mention away, so that the permission is inherited again"),
  },
});
