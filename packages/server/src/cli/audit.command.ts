import { defineCommand } from "citty";
import { auditRetention } from "#features/audit/audit.schedules.ts";
import { command as strict, configArg } from "./command.ts";
import { withApp } from "./with-app.ts";

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
  meta: { name: "audit", description: "Maintain the audit log" },
  subCommands: { prune },
});
