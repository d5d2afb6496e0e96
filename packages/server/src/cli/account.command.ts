import { defineCommand } from "citty";
import { accountsApi, type Account } from "#features/accounts/accounts.api.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { command as strict, CommandError, configArg } from "./command.ts";
import { withApp } from "./with-app.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);

const usernameArg = { username: { type: "positional", required: true, description: "User name" } } as const;
const passwordArg = {
  "password-stdin": {
    type: "boolean",
    description: "Read the password from standard input instead of making one",
  },
} as const;

async function passwordOf(fromStdin: boolean | undefined): Promise<{ password: string; made: boolean }> {
  if (fromStdin !== true) return { password: createIds(systemClock).secret(12), made: true };
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  const password = Buffer.concat(parts)
    .toString("utf8")
    .replace(/\r?\n$/, "");
  if (password === "") throw new CommandError("standard input held no password", 2);
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
    description: "Create a login for a game licence, or complete the one that the game server announced",
  },
  args: {
    ...usernameArg,
    licence: {
      type: "string",
      required: true,
      valueHint: "LICENCE",
      description: "Game licence, with or without license:",
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
  meta: { name: "list", description: "List accounts: id, user name, licence, groups, state" },
  args: configArg,
  async run({ args }) {
    await withApp(args.config, async ({ features, db }) => {
      const accounts = await db.read("cli.accountList", features.api(accountsApi).list);
      accounts.map(line).forEach(write);
    });
  },
});

const resetPassword = strict({
  meta: { name: "reset-password", description: "Give an account another password and end its sessions" },
  args: { ...usernameArg, ...passwordArg, ...configArg },
  async run({ args }) {
    const { password, made } = await passwordOf(args["password-stdin"]);
    await withApp(args.config, async ({ features, actor }) => {
      const account = await features.api(accountsApi).resetPassword(actor, args.username, password);
      write(`${account.username} has another password; its sessions end.${made ? ` Password: ${password}` : ""}`);
    });
  },
});

const setGroups = strict({
  meta: {
    name: "set-groups",
    description: "Set the staff groups of an account; they are compared exactly with auth.*Groups",
  },
  args: {
    ...usernameArg,
    groups: {
      type: "positional",
      required: false,
      default: "",
      description: "Groups separated by commas; none when left out",
    },
    ...configArg,
  },
  async run({ args }) {
    await withApp(args.config, async ({ features, actor }) => {
      const account = await features.api(accountsApi).setGroups(actor, args.username, groupsOf(args.groups));
      write(`${account.username}: ${account.groups.join(", ") || "no groups"}`);
    });
  },
});

const confirmAdmin = strict({
  meta: {
    name: "confirm-admin",
    description: "Let the admin groups count that the game server named for an account",
  },
  args: {
    who: { type: "positional", required: true, description: "User name or game licence" },
    power: {
      type: "string",
      required: true,
      valueHint: "config|job",
      description: "The power that waits, as rollcall doctor names it",
    },
    ...configArg,
  },
  async run({ args }) {
    const { power } = args;
    if (power !== "config" && power !== "job") throw new CommandError(`--power is "${power}"; write config or job`, 2);
    await withApp(args.config, async ({ features, actor }) => {
      const account = await features.api(accountsApi).confirmAdmin(actor, args.who, power);
      write(`${account.username ?? account.licence} has the powers of a ${power} admin now (${account.groups.join(", ")})`);
    });
  },
});

export const command = defineCommand({
  meta: { name: "account", description: "Create and change logins" },
  subCommands: { create, list, "reset-password": resetPassword, "set-groups": setGroups, "confirm-admin": confirmAdmin },
});
