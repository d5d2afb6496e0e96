import { loadConfig } from "#config/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { command as strict, configArg, loadOrRefuse } from "./command.ts";
import { localAddress } from "./address.ts";
import { printLogins } from "./demo.command.ts";
import { loadIntoThisProcess } from "./demo/session.ts";
import { serve } from "./serve.command.ts";
import { writeStarterConfig } from "./starter.ts";

/** True when there is no configuration anywhere that the program looks. */
function nothingConfigured(file: string | undefined): boolean {
  const loaded = loadConfig({ file });
  return file === undefined && !loaded.ok && loaded.file === null && process.env["ROLLCALL_CONFIG"] === undefined;
}

export const command = strict({
  meta: {
    name: "start",
    description: "Run the program; without any configuration, write a starter one first and load the demo city",
  },
  args: configArg,
  async run({ args }) {
    const fresh = nothingConfigured(args.config);
    if (fresh) {
      const { file } = writeStarterConfig(process.cwd(), { ids: createIds(systemClock) });
      process.stderr.write(`Wrote ${file} with generated secrets.\n`);
    }
    const loaded = loadOrRefuse(args.config);
    const app = await serve(loaded, ["web", "worker", "bot"]);
    if (fresh)
      printLogins(await loadIntoThisProcess(app, loaded, localAddress(loaded.config.http.listen)), loaded.config.http.publicURL);
    else process.stdout.write(`Rollcall is at ${loaded.config.http.publicURL}\n`);
  },
});
