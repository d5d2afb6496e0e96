import path from "node:path";
import { createSyncClient, SyncError } from "@rollcall/sync-sdk";
import { defineCommand } from "citty";
import { features as allFeatures } from "#app/features.ts";
import type { Config } from "#config/index.ts";
import { demoSource } from "#core/demo.ts";
import { systemClock } from "#infra/clock.ts";
import { localAddress } from "./address.ts";
import { command as strict, CommandError, configArg, loadOrRefuse } from "./command.ts";
import { createCity } from "./demo/city.ts";
import { driveDemo, mostPlayers, residentsOf } from "./demo/drive.ts";
import { createLoginsWith, grantRolesWith } from "./demo/identities.ts";
import { DemoRefused, loadDemo, type LoadedDemo } from "./demo/load.ts";
import { renewLogins } from "./demo/logins.ts";
import { createProgress } from "./demo/progress.ts";
import { demoSeed } from "./demo/seed.ts";
import { unfinishedDemo } from "./demo/unfinished.ts";
import { renewInstallation } from "./installation.command.ts";
import { starterPaths } from "./starter.ts";
import { loginLines, loginsCommand } from "./welcome.ts";
import { withApp } from "./with-app.ts";

/** Address and token of the running server, or one line of what is missing. */
async function serverOf({ http, sync }: Config): Promise<{ url: string; token: string }> {
  const [token] = sync.apiTokens;
  if (!sync.enabled || token === undefined)
    throw new CommandError(
      "sync.enabled is false or sync.apiTokens is empty; the demo city comes in through the Sync API, so set both and restart the server",
    );
  const url = localAddress(http.listen);
  const client = createSyncClient({ url, token, source: demoSource, timeoutMs: 10_000, retry: { attempts: 1 } });
  try {
    await client.status();
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    if (error.status === null) throw new CommandError(`no server answers at ${url} (http.listen); start it with rollcall serve`);
    if (error.status === 401 || error.status === 404)
      throw new CommandError(`the server at ${url} does not know this token or has sync off; restart it with this configuration`);
    throw new CommandError(error.message);
  } finally {
    await client.close();
  }
  return { url, token };
}

export function printLogins({ counts, logins }: LoadedDemo, publicUrl: string): void {
  const summary = `The demo city is loaded: ${counts["users"]} citizens, ${counts["vehicles"]} vehicles, ${counts["jobs"]} jobs.`;
  const kept = logins.some(({ password }) => password === null)
    ? [`Logins marked (kept) existed and keep their passwords; ${loginsCommand} gives those of the demo new ones.`]
    : [];
  process.stdout.write(`${[summary, `Sign in at ${publicUrl} as:`, ...loginLines(logins), ...kept].join("\n")}\n`);
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed > 0xffff_ffff)
    throw new CommandError(`--seed ${text} is not a whole number from 0 to 4294967295`, 2);
  return seed;
}

/** Loads the city into the running server and prints its logins; each failure is one line. */
async function loadIntoRunningServer(file: string | undefined, seed: number): Promise<void> {
  const configuration = loadOrRefuse(file);
  const { url, token } = await serverOf(configuration.config);
  await withApp(file, async (app) => {
    const { config, db, features, actor, ids } = app;
    const identities = { db, features, actor, ids };
    // The database may be a copy of another one, whose events and streams must stay untouched.
    await renewInstallation(app);
    try {
      const loaded = await loadDemo({
        url,
        token,
        seed,
        startGrade: config.game.startJobGrade,
        createLogins: createLoginsWith(identities),
        permissions: identities.features.registry.permissions(),
        grants: allFeatures.flatMap(({ demoGrants = [] }) => demoGrants),
        rows: identities.features.registry.demo(),
        actor,
        grantRoles: grantRolesWith(identities),
        progress: createProgress(process.stderr),
        log: (line) => void process.stderr.write(`${line}\n`),
      });
      unfinishedDemo(configuration.file).end();
      printLogins(loaded, config.http.publicURL);
    } catch (error) {
      if (error instanceof DemoRefused || error instanceof SyncError) throw new CommandError(error.message);
      throw error;
    }
  });
}

const load = strict({
  meta: { name: "load", description: "Load the demo city into the running server and print its logins" },
  args: {
    seed: { type: "string", default: String(demoSeed), valueHint: "N", description: "Another number makes another city" },
    ...configArg,
  },
  run: async ({ args }) => await loadIntoRunningServer(args.config, seedOf(args.seed)),
});

const logins = strict({
  meta: {
    name: "logins",
    description: "Give the logins of the demo city new passwords and print them; their sessions end",
  },
  args: {
    seed: { type: "string", default: String(demoSeed), valueHint: "N", description: "That of rollcall demo load" },
    ...configArg,
  },
  async run({ args }) {
    const seed = seedOf(args.seed);
    // Some of its logins may be there already, and the next start gives them other passwords.
    if (unfinishedDemo(loadOrRefuse(args.config).file).exists())
      throw new CommandError("the demo city is not complete: the start that loaded it was interrupted; npm start completes it");
    await withApp(args.config, async ({ config, db, features, actor, ids }) => {
      const renewed = await renewLogins({ db, features, actor, ids, seed, startGrade: config.game.startJobGrade });
      if (renewed.length === 0) throw new CommandError("there is no demo city here; rollcall demo load loads it");
      process.stdout.write(`${[`Sign in at ${config.http.publicURL} as:`, ...loginLines(renewed)].join("\n")}\n`);
    });
  },
});

function playersOf(text: string): number {
  const players = Number(text);
  if (!/^\d+$/.test(text) || players < 1 || players > mostPlayers)
    throw new CommandError(`--players ${text} is not a whole number from 1 to ${mostPlayers}`, 2);
  return players;
}

/** Aborted by SIGINT or SIGTERM; a second one ends the process. */
function interrupted(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

const drive = strict({
  meta: {
    name: "drive",
    description: "Let people of the demo city go on duty and drive around in the running server, until Ctrl+C",
  },
  args: {
    seed: { type: "string", default: String(demoSeed), valueHint: "N", description: "That of rollcall demo load" },
    players: { type: "string", default: "300", valueHint: "N", description: "How many of them play" },
    ...configArg,
  },
  async run({ args }) {
    const [seed, most] = [seedOf(args.seed), playersOf(args.players)];
    const { config, file } = loadOrRefuse(args.config);
    const log = (line: string) => void process.stderr.write(`${line}\n`);
    const { url, token } = await serverOf(config);
    const city = createCity({ seed, startGrade: config.game.startJobGrade });
    const residents = residentsOf(city, most);
    const queueDir = path.join(starterPaths(path.dirname(path.resolve(file))).data, "demo-game");
    const signal = interrupted();
    try {
      await driveDemo({ url, token, seed, residents, people: city.users, queueDir, clock: systemClock, signal, log });
    } catch (error) {
      if (error instanceof DemoRefused || error instanceof SyncError) throw new CommandError(error.message);
      throw error;
    }
  },
});

export const command = defineCommand({
  meta: { name: "demo", description: "Work with the demo city" },
  subCommands: { load, drive, logins },
});
