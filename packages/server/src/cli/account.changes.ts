import { accountsApi } from "#features/accounts/accounts.api.ts";
import { command as strict, configArg } from "./command.ts";
import { withApp } from "./with-app.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);

const whoArg = { who: { type: "positional", required: true, description: "User name or game licence" } } as const;
const reasonArg = {
  reason: {
    type: "string",
    required: true,
    valueHint: "TEXT",
    description: "Why; recorded in the audit log and shown with the account",
  },
} as const;

export const disable = strict({
  meta: { name: "disable", description: "Stop an account from signing in and end its sessions; its data stays" },
  args: { ...whoArg, ...reasonArg, ...configArg },
  async run({ args }) {
    await withApp(args.config, async ({ features, actor }) => {
      const input = { enabled: false, reason: args.reason };
      const { username, licence } = await features.api(accountsApi).setEnabled(actor, args.who, input);
      write(`${username ?? licence} is disabled; its sessions end. rollcall account enable undoes it.`);
    });
  },
});

export const enable = strict({
  meta: { name: "enable", description: "Let a disabled account sign in again" },
  args: { ...whoArg, ...configArg },
  async run({ args }) {
    await withApp(args.config, async ({ features, actor }) => {
      const { username, licence } = await features.api(accountsApi).setEnabled(actor, args.who, { enabled: true });
      write(`${username ?? licence} can sign in again.`);
    });
  },
});

export const setLicence = strict({
  meta: { name: "set-licence", description: "Move an account to another game licence, with that licence's characters" },
  args: {
    ...whoArg,
    licence: {
      type: "string",
      required: true,
      valueHint: "LICENCE",
      description: "The new game licence; the prefix license: may be left out",
    },
    ...reasonArg,
    ...configArg,
  },
  async run({ args }) {
    await withApp(args.config, async ({ features, actor }) => {
      const { licence, reason } = args;
      const account = await features.api(accountsApi).setLicence(actor, args.who, { licence, reason });
      write(`${account.username ?? `Account ${account.id}`} now belongs to the game licence ${account.licence}.`);
    });
  },
});

export const remove = strict({
  meta: { name: "delete", description: "Delete an account; config admins can restore it in the control panel for 21 days" },
  args: { ...whoArg, ...reasonArg, ...configArg },
  async run({ args }) {
    await withApp(args.config, async ({ features, actor }) => {
      const { id, username, licence } = await features.api(accountsApi).remove(actor, args.who, args.reason);
      write(
        `${username ?? licence} (account ${id}) is deleted; its sessions end. Config admins can restore it in the control panel.`,
      );
    });
  },
});
