import path from "node:path";
import { loadConfig, type LoadedConfig } from "#config/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { command as strict, configArg, loadOrRefuse } from "./command.ts";
import { localAddress } from "./address.ts";
import { printLogins } from "./demo.command.ts";
import { isDemoLoaded } from "./demo/logins.ts";
import { loadIntoThisProcess } from "./demo/session.ts";
import { unfinishedDemo } from "./demo/unfinished.ts";
import { serve, welcome } from "./serve.command.ts";
import { starterPaths, writeStarterConfig } from "./starter.ts";
import { loginsCommand } from "./welcome.ts";

/** True when there is no configuration anywhere that the program looks. */
function nothingConfigured(file: string | undefined): boolean {
  const loaded = loadConfig({ file });
  return file === undefined && !loaded.ok && loaded.file === null && process.env["ROLLCALL_CONFIG"] === undefined;
}

/** In another database, chosen since, nobody asked for two thousand invented people. */
function isStarterDatabase({ file, config }: LoadedConfig): boolean {
  const { dsn } = config.database;
  return dsn.kind === "sqlite" && path.dirname(dsn.file) === starterPaths(path.dirname(path.resolve(file))).data;
}

const goesOn = (file: string) =>
  `The demo city was not complete when the last start ended, so loading it goes on. To start without the rest of it, delete ${file}.`;

export const command = strict({
  meta: {
    name: "start",
    description: "Run the server; without a configuration, write a starter one first and load the demo city",
  },
  args: configArg,
  async run({ args }) {
    const fresh = nothingConfigured(args.config);
    if (fresh) {
      const { file } = writeStarterConfig(process.cwd(), { ids: createIds(systemClock) });
      unfinishedDemo(file).begin();
      process.stderr.write(`Wrote ${file} with generated secrets.\n`);
    }
    const loaded = loadOrRefuse(args.config);
    const unfinished = unfinishedDemo(loaded.file);
    const isToLoad = unfinished.exists() && isStarterDatabase(loaded);
    if (isToLoad && !fresh) process.stderr.write(`${goesOn(unfinished.file)}\n`);
    const app = await serve(loaded, ["web", "worker", "bot"]);
    const { game, http } = loaded.config;
    const demo = isToLoad ? await loadIntoThisProcess(app, loaded, localAddress(http.listen)) : null;
    unfinished.end();
    await app.complete.catch(() => undefined);
    const isLoaded = async () => await isDemoLoaded(app.container.db, app.assembly, game.startJobGrade).catch(() => false);
    const hasDemo = demo !== null || (await isLoaded());
    if (!process.stdout.isTTY) {
      if (demo !== null) printLogins(demo, http.publicURL);
      else process.stdout.write(`Rollcall is at ${http.publicURL}\n`);
      if (hasDemo) process.stdout.write(`The demo logins, with new passwords: ${loginsCommand}\n`);
    }
    await welcome(app, { url: http.publicURL, demo, hasDemo, by: "start" });
  },
});
