import type { LoadedConfig } from "#config/index.ts";
import type { RunningProcess } from "#app/lifecycle.ts";
import { features } from "#app/features.ts";
import { createLoginsWith, grantRolesWith } from "./identities.ts";
import { loadDemo, type LoadedDemo } from "./load.ts";
import { createProgress } from "./progress.ts";

export const demoSeed = 42;

/** Loads the demo city into this process: its data over HTTP, its logins directly. */
export async function loadIntoThisProcess(app: RunningProcess, loaded: LoadedConfig, url: string): Promise<LoadedDemo> {
  const { config } = loaded;
  const identities = {
    db: app.container.db,
    features: app.assembly,
    actor: { kind: "cli", user: "start" },
    ids: app.container.ports.ids,
  } as const;
  return await loadDemo({
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
}
