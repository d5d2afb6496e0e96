import { defineCommand } from "citty";
import { auditApi } from "#features/audit/audit.api.ts";
import { auditRetention } from "#features/audit/audit.schedules.ts";
import { command as strict, CommandError, configArg } from "./command.ts";
import { withApp } from "./with-app.ts";

const mostListed = 200;
const write = (line: string) => void process.stdout.write(`${line}\n`);

function limitOf(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostListed)
    throw new CommandError(`--limit ${text} is not a number from 1 to ${mostListed}`, 2);
  return limit;
}

const list = strict({
  meta: { name: "list", description: "List the newest entries: time (UTC), person, action, object, result, address" },
  args: {
    words: { type: "string", valueHint: "WORDS", description: "Only entries with these words or beginnings of words" },
    action: {
      type: "string",
      valueHint: "ACTION",
      description: "Only this action, for example auth.login; with a dot at the end, a whole feature",
    },
    limit: { type: "string", default: "50", valueHint: "N", description: `How many, at most ${mostListed}` },
    json: { type: "boolean", description: "Print one JSON document" },
    ...configArg,
  },
  async run({ args }) {
    const { words, action } = args;
    const question = { limit: limitOf(args.limit), ...(words && { q: words }), ...(action && { action }) };
    await withApp(args.config, async ({ features, db }) => {
      const rows = await db.read("cli.auditList", async (tx) => await features.api(auditApi).latest(tx, question));
      if (args.json === true) return write(JSON.stringify(rows, null, 2));
      for (const { at, actor, action: done, object, result, address } of rows) {
        const who = actor.characterName ?? actor.name ?? actor.kind;
        const what = object === null ? "-" : `${object.kind} ${object.id}`;
        write([new Date(at).toISOString(), who, done, what, result, address ?? "-"].join("\t"));
      }
      if (rows.length === 0) process.stderr.write("No entry matches.\n");
    });
  },
});

const prune = strict({
  meta: { name: "prune", description: "Remove entries older than audit.retentionDays now" },
  args: configArg,
  async run({ args }) {
    await withApp(args.config, async ({ features, actor }) => {
      const removed = await features.retain(auditRetention.id, actor);
      process.stdout.write(`${removed.get("entries") ?? 0} removed\n`);
    });
  },
});

export const command = defineCommand({
  meta: { name: "audit", description: "Read and maintain the audit log" },
  subCommands: { list, prune },
});
