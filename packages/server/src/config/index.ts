export { loadConfig, type Config, type LoadedConfig, type OptionSource } from "./load.ts";
export { exitCodeConfig, formatFinding, formatRefusal, formatSource, type Finding } from "./finding.ts";
export { secretValues } from "./secretValues.ts";
export { schema } from "./schema/index.ts";
export { checkSubsystems } from "./checks/subsystems.ts";
