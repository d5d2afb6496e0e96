import { checkSubsystems, type Finding, type LoadedConfig } from "#config/index.ts";

/** Loggers beside those of the features, for `log.levelOverrides`. */
const ownSubsystems = [
  "start",
  "http",
  "db",
  "kvstore",
  "locks",
  "cron",
  "perms",
  "events",
  "outbox",
  "realtime",
  "tasks",
  "tracing",
];

/** Every name that `log.levelOverrides` takes. */
export async function knownSubsystems(): Promise<readonly string[]> {
  const { features } = await import("#app/features.ts");
  return [...ownSubsystems, ...features.map(({ name }) => name)];
}

/** Names in `log.levelOverrides` that nothing logs under. The features are loaded only when there is a name to compare. */
export async function unknownSubsystems(loaded: LoadedConfig): Promise<readonly Finding[]> {
  if (Object.keys(loaded.config.log.levelOverrides).length === 0) return [];
  return checkSubsystems(loaded, await knownSubsystems());
}
