import { stripVTControlCharacters } from "node:util";
import { defineCommand, renderUsage, runCommand, runMain, type ArgsDef, type CommandDef } from "citty";
import manifest from "../../package.json" with { type: "json" };
import { CommandError } from "./command.ts";

// Commands are loaded when they are called: `rollcall config check` does not load the web server.
// Add one as cli/<name>.command.ts that exports `command`, and a line here.
const subCommands: Record<string, () => Promise<CommandDef>> = {
  account: async () => (await import("./account.command.ts")).command,
  audit: async () => (await import("./audit.command.ts")).command,
  backup: async () => (await import("./backup.command.ts")).command as CommandDef,
  config: async () => (await import("./config.command.ts")).command,
  demo: async () => (await import("./demo.command.ts")).command,
  doctor: async () => (await import("./doctor.command.ts")).command as CommandDef,
  health: async () => (await import("./health.command.ts")).command as CommandDef,
  "import-config": async () => (await import("./import.command.ts")).command as CommandDef,
  init: async () => (await import("./init.command.ts")).command as CommandDef,
  installation: async () => (await import("./installation.command.ts")).command,
  migrate: async () => (await import("./migrate.command.ts")).command as CommandDef,
  restore: async () => (await import("./restore.command.ts")).command as CommandDef,
  role: async () => (await import("./role.command.ts")).command,
  secret: async () => (await import("./secret.command.ts")).command,
  storage: async () => (await import("./storage.command.ts")).command,
  start: async () => (await import("./start.command.ts")).command as CommandDef,
  serve: async () => (await import("./serve.command.ts")).command as CommandDef,
};

const lingerMs = 1000;

const root = defineCommand({
  meta: {
    name: "rollcall",
    version: manifest.version,
    description: "Records, dispatch and jobs of a roleplay community",
  },
  subCommands,
});

/** Runs one command line and sets the exit code of the process: 2 for a wrong command line, 78 for a wrong configuration. */
export async function run(argv: readonly string[]): Promise<void> {
  const rawArgs = [...argv];
  process.stdout.on("error", endQuietly);
  if (rawArgs.length === 0 || rawArgs.includes("--help") || rawArgs.includes("-h")) {
    await runMain(root, { rawArgs: rawArgs.length === 0 ? ["--help"] : rawArgs, showUsage });
    return;
  }
  if (rawArgs.length === 1 && (rawArgs[0] === "--version" || rawArgs[0] === "-v")) {
    process.stdout.write(`${manifest.version}\n`);
    return;
  }
  try {
    const refused = unknownOption(rawArgs.slice(0, 1));
    if (refused) throw refused;
    await runCommand(root, { rawArgs });
  } catch (error) {
    report(
      named(error, rawArgs),
      Object.hasOwn(subCommands, rawArgs[0] ?? "") ? `rollcall ${rawArgs[0]} --help` : "rollcall --help",
    );
    // Pending requests to an unresponsive service must not keep a failed process running.
    setTimeout(() => process.exit(), lingerMs).unref();
  }
}

async function showUsage<T extends ArgsDef>(shown: CommandDef<T>, parent?: CommandDef<T>): Promise<void> {
  const usage = await renderUsage(shown, parent);
  process.stdout.write(`${process.stdout.isTTY ? usage : stripVTControlCharacters(usage)}\n`);
}

/** Of an option where a command belongs: neither the program nor a group of commands has any. */
function unknownOption(args: readonly string[]): Error | undefined {
  const option = args.find((arg) => arg.startsWith("-"));
  if (option === undefined) return undefined;
  return Object.assign(new Error(`unknown option ${option.split("=")[0]}`), { name: "CLIError" });
}

/** Where the command is missing because an option stands in its place, the option is what is wrong. */
function named(error: unknown, rawArgs: readonly string[]): unknown {
  const noCommand = (error as { code?: unknown }).code === "E_NO_COMMAND";
  return (noCommand ? unknownOption(rawArgs) : undefined) ?? error;
}

/** Ends quietly if the output pipe was closed, as in `rollcall config print | head`. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
}

function report(error: unknown, help: string): void {
  if (error instanceof CommandError) {
    const isRefusal = error.exitCode === 78;
    process.stderr.write(isRefusal ? `${error.message}\n` : `rollcall: ${error.message}\n`);
    process.exitCode = error.exitCode;
  } else if (error instanceof Error && error.name === "CLIError") {
    process.stderr.write(`rollcall: ${stripVTControlCharacters(error.message).replace(/\.$/, "")}; run ${help}\n`);
    process.exitCode = 2;
  } else {
    process.stderr.write(`rollcall: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  }
}
