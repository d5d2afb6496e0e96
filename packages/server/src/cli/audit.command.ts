import { defineCommand } from "citty";
import { auditApi } from "#features/audit/audit.api.ts";
import { command as strict, configArg } from "./command.ts";
import { withRuntime } from "./runtime.ts";

const prune = strict({
  meta: { name: "prune", description: "Remove entries older than audit.retentionDays now" },
  args: configArg,
  async run({ args }) {
    await withRuntime(args.config, async ({ features, actor }) => {
      const removed = await features.api(auditApi).prune(actor);
      process.stdout.write(`${removed} removed\n`);
    });
  },
});

export const command = defineCommand({
  meta: { name: "audit", description: "Look after the audit trail" },
  subCommands: { prune },
});
