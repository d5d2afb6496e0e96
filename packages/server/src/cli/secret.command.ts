import { readFileSync } from "node:fs";
import { defineCommand } from "citty";
import { auditApi } from "#features/audit/audit.api.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { type Rotated, rotateColumn } from "#infra/rotate.ts";
import { createVault } from "#infra/vault.ts";
import { command as strict, CommandError, configArg } from "./command.ts";
import { withApp } from "./with-app.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);

function oldSecretIn(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch {
    throw new CommandError(`cannot read ${file}`, 2);
  }
  if (text === "") throw new CommandError(`${file} is empty; it must contain the earlier secret`, 2);
  return text;
}

function line({ column, rotated, already, unopened }: Rotated): string {
  return `${column}: ${rotated} re-encrypted, ${already} already with the current secret, ${unopened} could not be decrypted`;
}

const rotate = strict({
  meta: {
    name: "rotate",
    description: "Re-encrypt stored secrets after the option secret was changed",
  },
  args: {
    "old-file": {
      type: "string",
      required: true,
      valueHint: "FILE",
      description: "File that contains the earlier secret",
    },
    ...configArg,
  },
  async run({ args }) {
    const old = oldSecretIn(args["old-file"]);
    await withApp(args.config, async ({ config, db, features, actor }) => {
      const ids = createIds(systemClock);
      const [from, to] = [createVault(old, ids), createVault(config.secret, ids)];
      if (!to.available) throw new CommandError("secret is not set in the configuration; write the new one there first");
      if (from.keyId === to.keyId)
        throw new CommandError("the file contains the current secret; it must contain the earlier one");
      const results: Rotated[] = [];
      for (const column of features.registry.parts("sealed")) {
        results.push(await rotateColumn(db, column, from, to));
        write(line(results.at(-1)!));
      }
      await db.write("cli.secretRotate", async (tx) => {
        const info = { from: from.keyId, to: to.keyId, columns: results };
        await features.api(auditApi).record(tx, actor, { action: "system.rotateSecret", info });
      });
      const lost = results.reduce((sum, { unopened }) => sum + unopened, 0);
      const opened = results.some(({ rotated, already }) => rotated + already > 0);
      if (lost > 0 && !opened) {
        const problem = `nothing was changed: the secret in ${args["old-file"]} opens none of the ${lost} stored texts, and neither does the present one`;
        throw new CommandError(`${problem}; name the file that contains the secret with which they were stored`);
      }
      if (lost > 0)
        write(
          `${lost} could not be decrypted with either secret: these people have to reconnect, or set up their second factor again.`,
        );
    });
  },
});

export const command = defineCommand({
  meta: { name: "secret", description: "Manage the secret that encrypts stored data" },
  subCommands: { rotate },
});
