import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseDocument, stringify } from "yaml";
import { formatFinding, formatRefusal, loadConfig } from "#config/index.ts";
import { command as strict, CommandError } from "./command.ts";
import { convertConfig, type Reported } from "./import/convert.ts";
import { knownSubsystems, unknownSubsystems } from "./subsystems.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);

function readTree(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new CommandError(`cannot read ${file} (${(error as NodeJS.ErrnoException).code ?? "unknown"})`, 2);
  }
  const document = parseDocument(text, { merge: true, intAsBigInt: true });
  const [wrong] = document.errors;
  // Its own message would show the line, which may hold a secret.
  if (wrong)
    throw new CommandError(
      `${file} is no YAML: line ${wrong.linePos?.[0].line ?? "?"}, ${wrong.code.toLowerCase().replaceAll("_", " ")}`,
      2,
    );
  return document.toJS({ maxAliasCount: 100 });
}

/** Their names are those of features, which are loaded only for that. */
const namesLevels = (tree: unknown): boolean =>
  typeof tree === "object" &&
  tree !== null &&
  Object.entries(tree).some(([key, value]) => key.toLowerCase() === "leveloverrides" || namesLevels(value));

function lineOf({ key, fate, to, note }: Reported): string {
  const place = to === null || to.toLowerCase() === key.toLowerCase() ? "" : ` -> ${to}`;
  return `${fate.padEnd(16)}  ${key}${place}${note === null ? "" : `  (${note})`}`;
}

/** Readable by this user alone, and whole or not there. */
function writeConfig(file: string, config: Record<string, unknown>, from: string): void {
  const head = `# Rollcall, taken over from ${path.basename(from)}. Every option is described in config.example.yaml.\n\n`;
  const unfinished = `${file}.part`;
  writeFileSync(unfinished, head + stringify(config, { lineWidth: 0 }), { mode: 0o600, flag: "wx" });
  try {
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

export const command = strict({
  meta: {
    name: "import-config",
    description: "Convert a FiveNet-style config.yaml, and say what became of every key",
  },
  args: {
    file: { type: "positional", required: true, description: "The config.yaml to read; it is not changed" },
    out: { type: "string", default: "config.yaml", valueHint: "FILE", description: "Where to write the new file" },
    force: { type: "boolean", description: "Replace an existing file" },
  },
  async run({ args }) {
    const out = path.resolve(args.out);
    if (path.resolve(args.file) === out) throw new CommandError("--out names the file that is being read; name another one", 2);
    if (existsSync(out) && args.force !== true) throw new CommandError(`${args.out} already exists; use --force to replace it`);
    const tree = readTree(args.file);
    const { config, report } = convertConfig(tree, namesLevels(tree) ? await knownSubsystems() : []);
    if (report.length === 0) throw new CommandError(`${args.file} contains no options`);
    report.forEach((one) => write(lineOf(one)));
    writeConfig(out, config, args.file);
    write(`\nWrote ${args.out}: ${report.filter(({ to }) => to !== null).length} of ${report.length} keys.`);
    if (report.some(({ to }) => to === "database.dsn"))
      write("That database is FiveNet's. Rollcall would create its own tables in it; better give Rollcall its own database.");
    const checked = loadConfig({ file: out, env: {} });
    const unknown = checked.ok ? await unknownSubsystems(checked) : [];
    if (checked.ok && unknown.length === 0) {
      const { warnings } = checked;
      warnings.forEach((warning) => write(`warning  ${formatFinding(warning)}`));
      const above =
        warnings.length === 0 ? "" : `, with ${warnings.length} ${warnings.length === 1 ? "warning" : "warnings"} above`;
      write(`It passes rollcall config check${above}.`);
      return;
    }
    write("It does not pass rollcall config check yet. Fix these lines:");
    formatRefusal({ file: out, problems: checked.ok ? unknown : checked.problems }).forEach((problem) => write(`  ${problem}`));
    process.exitCode = 1;
  },
});
