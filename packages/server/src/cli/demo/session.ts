import type { LoadedConfig } from "#config/index.ts";
import type { RunningProcess } from "#app/lifecycle.ts";
import { features } from "#app/features.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import type { Settings } from "#features/settings/settings.contract.ts";
import { createLoginsWith, grantRolesWith } from "./identities.ts";
import { loadDemo, type LoadedDemo } from "./load.ts";
import { renewLogins } from "./logins.ts";
import { createProgress } from "./progress.ts";
import { demoSeed } from "./seed.ts";

/**
 * Loads the demo city into this process: its data over HTTP, its logins directly. Of logins that an interrupted start
 * made nobody has seen the passwords, so they get new ones.
 */
export async function loadIntoThisProcess(app: RunningProcess, loaded: LoadedConfig, url: string): Promise<LoadedDemo> {
  const { config } = loaded;
  const identities = {
    db: app.container.db,
    features: app.assembly,
    actor: { kind: "cli", user: "start" },
    ids: app.container.ports.ids,
  } as const;
  const demo = await loadDemo({
    url,
    token: config.sync.apiTokens[0] ?? "",
    seed: demoSeed,
    startGrade: config.game.startJobGrade,
    createLogins: createLoginsWith(identities),
    permissions: identities.features.registry.permissions(),
    grants: features.flatMap(({ demoGrants = [] }) => demoGrants),
    rows: identities.features.registry.demo(),
    actor: identities.actor,
    grantRoles: grantRolesWith(identities),
    progress: createProgress(process.stderr),
    log: (line) => void process.stderr.write(`${line}\n`),
  });
  // The demo city has admins and data: nothing is left of the setup.
  await app.container.db.write("demo.setup", async (tx) => {
    const done = ({ general, ...rest }: Settings): Settings => ({ ...rest, general: { ...general, setupComplete: true } });
    await app.assembly.api(settingsApi).change(tx, identities.actor, done);
  });
  if (demo.logins.every(({ password }) => password !== null)) return demo;
  const { startJobGrade: startGrade } = config.game;
  const renewed = new Map(
    (await renewLogins({ ...identities, seed: demoSeed, startGrade })).map((login) => [login.username, login]),
  );
  return { ...demo, logins: demo.logins.map((login) => renewed.get(login.username) ?? login) };
}
