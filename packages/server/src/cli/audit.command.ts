import { defineCommand } from "citty";
import { auditRetention } from "#features/audit/audit.jobs.ts";
import { command as strict, configArg } from "./command.ts";
import { withRuntime } from "./runtime.ts";

const prune = strict({
  meta: { name: "prune", description: "Remove entries older than audit.retentionDays now" },
  args: configArg,
  async run({ args }) {
    await withRuntime(args.config, async ({ features, actor }) => {
      const removed = await features.retain(auditRetention.id, actor);
      process.stdout.write(`${removed.get("entries") ?? 0} removed\n`);
    });
  },
});

export const command = defineCommand({
  meta: { name: "audit", description: "Look after the audit trail" },
  subCommands: { prune },
});
