import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseDocument, stringify } from "yaml";
import { formatFinding, formatRefusal, loadConfig } from "#config/index.ts";
import { command as strict, CommandError } from "./command.ts";
import { convertConfig, type Reported } from "./import/convert.ts";

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
    description: "Write a configuration from a FiveNet-style config.yaml, and tell of every key what became of it",
  },
  args: {
    file: { type: "positional", required: true, description: "The config.yaml to read; it is not changed" },
    out: { type: "string", default: "config.yaml", valueHint: "FILE", description: "Where to write ours" },
    force: { type: "boolean", description: "Replace a file that exists" },
  },
  run({ args }) {
    const out = path.resolve(args.out);
    if (path.resolve(args.file) === out) throw new CommandError("--out names the file that is read; name another one", 2);
    if (existsSync(out) && args.force !== true) throw new CommandError(`${args.out} exists; --force replaces it`);
    const { config, report } = convertConfig(readTree(args.file));
    if (report.length === 0) throw new CommandError(`${args.file} holds no option`);
    report.forEach((one) => write(lineOf(one)));
    writeConfig(out, config, args.file);
    write(`\nWrote ${args.out}: ${report.filter(({ to }) => to !== null).length} of ${report.length} keys.`);
    if (report.some(({ to }) => to === "database.dsn"))
      write("That database is FiveNet's: Rollcall makes tables of its own in it, so a database of its own is the better place.");
    const checked = loadConfig({ file: out, env: {} });
    if (checked.ok) {
      checked.warnings.forEach((warning) => write(`warning  ${formatFinding(warning)}`));
      write("It passes rollcall config check.");
      return;
    }
    write("It does not pass rollcall config check yet:");
    formatRefusal(checked).forEach((problem) => write(`  ${problem}`));
    process.exitCode = 1;
  },
});
