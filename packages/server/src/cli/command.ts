import { defineCommand, type ArgsDef, type CommandDef } from "citty";
import { exitCodeConfig, formatRefusal, loadConfig, type LoadedConfig } from "#config/index.ts";

/** Ends the process with one line on standard error. */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The flag of every command that reads the configuration. */
export const configArg = {
  config: {
    type: "string",
    valueHint: "FILE",
    description: "Configuration file, instead of ./config.yaml or /config/config.yaml",
  },
} as const satisfies ArgsDef;

/** Like `defineCommand` of citty, but refuses unknown arguments. */
export function command<const T extends ArgsDef>(definition: CommandDef<T>): CommandDef<T> {
  const args = (definition.args ?? {}) as ArgsDef;
  return defineCommand<T>({
    ...definition,
    setup: async (context) => {
      refuseUnknown(context.rawArgs, args);
      await definition.setup?.(context);
    },
  });
}

function refuseUnknown(rawArgs: readonly string[], args: ArgsDef): void {
  const flags = new Map<string, boolean>();
  for (const [name, arg] of Object.entries(args)) {
    if (arg.type === "positional") continue;
    const { alias } = arg as { alias?: string | string[] };
    const aliases = alias === undefined ? [] : [alias].flat();
    for (const spelling of [name, ...aliases]) flags.set(spelling, arg.type === "string" || arg.type === "enum");
    if (arg.type === "boolean") flags.set(`no-${name}`, false);
  }
  let positionals = Object.values(args).filter((arg) => arg.type === "positional").length;
  for (let i = 0; i < rawArgs.length; i++) {
    const raw = rawArgs[i]!;
    if (raw === "--") return;
    if (!raw.startsWith("-")) {
      if (positionals-- <= 0) throw new CommandError(`unexpected argument ${raw}`, 2);
      continue;
    }
    const [name = "", inline] = raw.replace(/^--?/, "").split(/=(.*)/s);
    const takesValue = flags.get(name);
    if (takesValue === undefined) throw new CommandError(`unknown option ${raw.split("=")[0]}`, 2);
    if (takesValue && inline === undefined && ++i >= rawArgs.length) throw new CommandError(`--${name} requires a value`, 2);
  }
}

/** Loads the configuration; prints its problems and ends with code 78 if there are any. */
export function loadOrRefuse(file: string | undefined): LoadedConfig {
  const loaded = loadConfig({ file });
  if (loaded.ok) return loaded;
  throw new CommandError(formatRefusal(loaded).join("\n"), exitCodeConfig);
}
