import { createFindingTexts } from "#core/texts.ts";
import { systemApi } from "#features/system/system.api.ts";
import { features } from "#app/features.ts";
import { command as strict, CommandError, configArg } from "./command.ts";
import { withApp } from "./with-app.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);
const marks = { ok: "ok      ", hint: "hint    ", warning: "warning ", problem: "PROBLEM " } as const;

export const command = strict({
  meta: { name: "doctor", description: "Check the installation and say how to fix each problem" },
  args: { json: { type: "boolean", description: "Print the findings as JSON" }, ...configArg },
  async run({ args }) {
    await withApp(
      args.config,
      async (app) => {
        const { findings } = await app.features.api(systemApi).examine();
        if (args.json === true) write(JSON.stringify(findings, null, 2));
        else {
          const texts = createFindingTexts(features.map(({ name }) => name));
          for (const { id, state, params } of findings) {
            const { text, remedy } = texts(id, params);
            write(`${marks[state]} ${text}`);
            if (remedy !== "" && state !== "ok") write(`         ${remedy}`);
          }
        }
        const problems = findings.filter(({ state }) => state === "problem").length;
        if (problems > 0) throw new CommandError(`${problems} ${problems === 1 ? "problem" : "problems"} found`);
      },
      { schema: "any" },
    );
  },
});
