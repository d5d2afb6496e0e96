import { defineCommand } from "citty";
import { accountsApi, type Account } from "#features/accounts/accounts.api.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { disable, enable, remove, setLicence } from "./account.changes.ts";
import { command as strict, CommandError, configArg } from "./command.ts";
import { withApp } from "./with-app.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);

const usernameArg = { username: { type: "positional", required: true, description: "User name" } } as const;
const passwordArg = {
  "password-stdin": {
    type: "boolean",
    description: "Read the password from standard input instead of generating one",
  },
} as const;

async function passwordOf(fromStdin: boolean | undefined): Promise<{ password: string; made: boolean }> {
  if (fromStdin !== true) return { password: createIds(systemClock).secret(12), made: true };
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  const password = Buffer.concat(parts)
    .toString("utf8")
    .replace(/\r?\n$/, "");
  if (password === "") throw new CommandError("there is no password on standard input; pipe it into the command", 2);
  return { password, made: false };
}

const groupsOf = (text: string | undefined) =>
  (text ?? "")
    .split(",")
    .map((group) => group.trim())
    .filter(Boolean);

function line(account: Account): string {
  const state = account.enabled ? (account.hasPassword ? "active" : "no password yet") : "disabled";
  return [account.id, account.username ?? "-", account.licence, account.groups.join(",") || "-", state].join("\t");
}

const create = strict({
  meta: {
    name: "create",
    description: "Create an account for a game licence, or complete the one that the game server sent",
  },
  args: {
    ...usernameArg,
    licence: {
      type: "string",
      required: true,
      valueHint: "LICENCE",
      description: "Game licence; the prefix license: may be left out",
    },
    groups: { type: "string", valueHint: "A,B", description: "Staff groups" },
    ...passwordArg,
    ...configArg,
  },
  async run({ args }) {
    const { password, made } = await passwordOf(args["password-stdin"]);
    await withApp(args.config, async ({ features, actor }) => {
      const groups = args.groups === undefined ? {} : { groups: groupsOf(args.groups) };
      const account = await features
        .api(accountsApi)
        .create(actor, { username: args.username, licence: args.licence, password, ...groups });
      write(`Created ${account.username} (account ${account.id}).${made ? ` Password: ${password}` : ""}`);
    });
  },
});

const list = strict({
  meta: { name: "list", description: "List accounts: ID, user name, game licence, groups, status" },
  args: configArg,
  async run({ args }) {
    await withApp(args.config, async ({ features, db }) => {
      const accounts = await db.read("cli.accountList", features.api(accountsApi).list);
      accounts.map(line).forEach(write);
      if (accounts.length === 0) process.stderr.write("There are no accounts yet; rollcall account create creates one.\n");
    });
  },
});

const resetPassword = strict({
  meta: { name: "reset-password", description: "Set a new password for an account and end its sessions" },
  args: { ...usernameArg, ...passwordArg, ...configArg },
  async run({ args }) {
    const { password, made } = await passwordOf(args["password-stdin"]);
    await withApp(args.config, async ({ features, actor }) => {
      const account = await features.api(accountsApi).resetPassword(actor, args.username, password);
      write(`${account.username} has a new password; its sessions end.${made ? ` Password: ${password}` : ""}`);
    });
  },
});

const setGroups = strict({
  meta: {
    name: "set-groups",
    description: "Set the staff groups of an account; they have to match auth.*Groups exactly",
  },
  args: {
    ...usernameArg,
    list: { type: "positional", required: false, default: "", description: "The groups, as for --groups" },
    groups: { type: "string", valueHint: "A,B", description: "Groups separated by commas; none if omitted" },
    ...configArg,
  },
  async run({ args }) {
    if (args.groups !== undefined && args.list !== "")
      throw new CommandError("the groups are given twice; write them once, as --groups A,B", 2);
    const wanted = groupsOf(args.groups ?? args.list);
    await withApp(args.config, async ({ features, actor }) => {
      const account = await features.api(accountsApi).setGroups(actor, args.username, wanted);
      write(`${account.username}: ${account.groups.join(", ") || "no groups"}`);
    });
  },
});

const confirmAdmin = strict({
  meta: {
    name: "confirm-admin",
    description: "Confirm the admin powers that the game server reported for an account",
  },
  args: {
    who: { type: "positional", required: true, description: "User name or game licence" },
    power: {
      type: "string",
      required: true,
      valueHint: "config|job",
      description: "The power to confirm, as rollcall doctor names it",
    },
    ...configArg,
  },
  async run({ args }) {
    const { power } = args;
    if (power !== "config" && power !== "job") throw new CommandError(`--power is "${power}"; write config or job`, 2);
    await withApp(args.config, async ({ features, actor }) => {
      const account = await features.api(accountsApi).confirmAdmin(actor, args.who, power);
      write(`${account.username ?? account.licence} is now a ${power} admin (${account.groups.join(", ")})`);
    });
  },
});

export const command = defineCommand({
  meta: { name: "account", description: "Create and change accounts" },
  subCommands: {
    create,
    list,
    "reset-password": resetPassword,
    "set-groups": setGroups,
    "set-licence": setLicence,
    disable,
    enable,
    delete: remove,
    "confirm-admin": confirmAdmin,
  },
});
