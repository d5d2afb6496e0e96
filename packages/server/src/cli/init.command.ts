import path from "node:path";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { command as strict, CommandError } from "./command.ts";
import { StarterExists, writeStarterConfig } from "./starter.ts";

export const command = strict({
  meta: { name: "init", description: "Write a starter config.yaml with generated secrets" },
  args: {
    directory: { type: "positional", required: false, default: ".", description: "Where to write it" },
    force: { type: "boolean", description: "Replace an existing file; it is kept as config.yaml.1.bak" },
  },
  run({ args }) {
    try {
      const starter = writeStarterConfig(path.resolve(args.directory), {
        ids: createIds(systemClock),
        force: args.force === true,
      });
      if (starter.keptAs !== null) process.stdout.write(`Kept the old file as ${starter.keptAs}\n`);
      process.stdout.write(`Wrote ${starter.file}\nRollcall will be at ${starter.address}; start it with rollcall serve\n`);
    } catch (error) {
      if (error instanceof StarterExists) throw new CommandError(`${error.message}; use --force to replace it and keep a copy`);
      throw error;
    }
  },
});
