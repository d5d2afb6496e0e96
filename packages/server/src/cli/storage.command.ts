import { defineCommand } from "citty";
import type { Config } from "#config/index.ts";
import type { Storage } from "#core/ports/index.ts";
import { filesApi } from "#features/files/files.api.ts";
import { systemClock } from "#infra/clock.ts";
import { createStorage, missingOptions } from "#infra/files/index.ts";
import { command as strict, CommandError, configArg } from "./command.ts";
import { requireStorage } from "./reachable.ts";
import { withApp } from "./with-app.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);
const kinds: readonly Storage["kind"][] = ["filesystem", "objectstore"];
const everyMs = 2000;

function targetOf(text: string): Storage["kind"] {
  const kind = kinds.find((one) => one === text);
  if (kind === undefined) throw new CommandError(`--to ${text} is not a storage; write ${kinds.join(" or ")}`, 2);
  return kind;
}

const counted = ({ objects, bytes }: { objects: number; bytes: number }) =>
  `${objects} objects, ${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** A line every two seconds at most. */
function progressLines() {
  let last = Number.NEGATIVE_INFINITY;
  return (state: { readonly objects: number; readonly bytes: number }) => {
    if (systemClock.monotonic() - last < everyMs) return;
    last = systemClock.monotonic();
    write(counted(state));
  };
}

function advice(config: Config, to: Storage["kind"], removed: boolean): void {
  if (config.storage.type !== to) {
    write(`now set storage: { type: ${to} } in config.yaml, restart Rollcall, and run this command:`);
    write(
      `rollcall storage move --to ${to} --remove-source   copies what was added in the meantime and removes Rollcall's files from the other storage`,
    );
  } else if (!removed)
    write(`the other storage is kept; rollcall storage move --to ${to} --remove-source removes Rollcall's files from it`);
}

const move = strict({
  meta: { name: "move", description: "Copy all uploads to the other storage, or continue an interrupted copy" },
  args: {
    to: { type: "string", required: true, valueHint: "filesystem|objectstore", description: "Storage to copy to" },
    "remove-source": {
      type: "boolean",
      description: "Remove from the other storage what was verified in this one, once storage.type is changed",
    },
    ...configArg,
  },
  async run({ args }) {
    const target = targetOf(args.to);
    const removeSource = args["remove-source"] === true;
    await withApp(args.config, async ({ config, ids, features, actor }) => {
      const [missing] = missingOptions(config.storage, "objectstore");
      if (missing !== undefined) throw new CommandError(`${missing} is not set; a move needs both storages in config.yaml`);
      if (removeSource && config.storage.type !== target)
        throw new CommandError(
          `storage.type is still ${config.storage.type}; run the move first, then change it to ${target}, then run this command again`,
        );
      const open = (type: Storage["kind"]) => createStorage(config.storage, { clock: systemClock, ids, type });
      const [from, to] = [open(target === "objectstore" ? "filesystem" : "objectstore"), open(target)];
      try {
        await requireStorage(from, config);
        await requireStorage(to, config);
        const report = await features.api(filesApi).move({ actor, from, to, removeSource, progress: progressLines() });
        write(`${counted(report)} are in the ${target}, each read back and compared by size and SHA-256`);
        if (report.before > 0) write(`${report.before} of them were copied by an earlier run`);
        for (const key of report.damaged) write(`${key} was already damaged before the move: it is not what was uploaded`);
        const { count, names } = report.foreign;
        if (count > 0)
          write(`${count} in the ${from.kind} ${count === 1 ? "is" : "are"} not Rollcall's and stay there: ${names}`);
        if (removeSource) write(`${report.removed} objects were removed from the ${from.kind}`);
        advice(config, target, removeSource);
      } finally {
        await Promise.all([from.close(), to.close()]);
      }
    });
  },
});

export const command = defineCommand({
  meta: { name: "storage", description: "Manage uploads" },
  subCommands: { move },
});
