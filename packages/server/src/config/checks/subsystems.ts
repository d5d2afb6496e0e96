import type { Finding } from "../finding.ts";
import type { LoadedConfig } from "../load.ts";
import { nearestName } from "#core/nearest.ts";

/** Problems of `log.levelOverrides` for subsystems that are not in `known`. */
export function checkSubsystems(loaded: LoadedConfig, known: readonly string[]): Finding[] {
  const source = loaded.sources.find(({ path }) => path === "log.levelOverrides");
  const named = Object.keys(loaded.config.log.levelOverrides);
  return named
    .filter((name) => !known.some((subsystem) => subsystem === name || name.startsWith(`${subsystem}.`)))
    .map((name) => ({
      path: `log.levelOverrides.${name}`,
      place: source?.place ?? { kind: "default" },
      what: "is not a subsystem and has no effect",
      instead: `write ${nearestName(name, known) ?? `one of ${known.join(", ")}`}`,
    }));
}
