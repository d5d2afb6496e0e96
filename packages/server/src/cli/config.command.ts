import { defineCommand } from "citty";
import {
  exitCodeConfig,
  formatFinding,
  formatRefusal,
  formatSource,
  loadConfig,
  type Finding,
  type LoadedConfig,
  type OptionSource,
} from "#config/index.ts";
import type { ColumnFindings } from "./config.columns.ts";
import { command as strict, configArg, loadOrRefuse } from "./command.ts";

const write = (line: string) => void process.stdout.write(`${line}\n`);

function jsonFinding({ path, what, instead, place, part }: Finding) {
  const where =
    place.kind === "file"
      ? { file: place.file, line: place.line, column: place.column }
      : place.kind === "variable"
        ? { variable: place.name, ...(place.file !== undefined && { file: place.file }) }
        : {};
  return { option: path, what, instead, ...where, ...(part && { part }) };
}

const check = strict({
  meta: { name: "check", description: "Check the configuration without starting anything" },
  args: { ...configArg, json: { type: "boolean", description: "Print one JSON document" } },
  async run({ args }) {
    const loaded = loadConfig({ file: args.config });
    const columns = loaded.ok && namesColumns(loaded) ? await columnFindings(loaded) : { problems: [], warnings: [] };
    const problems = loaded.ok ? [...(await subsystemFindings(loaded)), ...columns.problems] : loaded.problems;
    const warnings = [...loaded.warnings, ...columns.warnings];
    const ok = problems.length === 0;
    if (!ok) process.exitCode = exitCodeConfig;
    if (args.json) {
      const document = {
        ok,
        file: loaded.file,
        problems: problems.map(jsonFinding),
        warnings: warnings.map(jsonFinding),
        hints: loaded.ok ? loaded.hints.map(jsonFinding) : [],
        notInEffect: loaded.ok ? loaded.notInEffect : [],
      };
      write(JSON.stringify(document, null, 2));
    } else if (!ok) {
      formatRefusal({ file: loaded.file, problems }).forEach(write);
    } else {
      warnings.forEach((warning) => write(`warning  ${formatFinding(warning)}`));
      if (loaded.ok) loaded.hints.forEach((hint) => write(`hint     ${formatFinding(hint)}`));
      write(`${loaded.file}: no problems, ${warnings.length} ${warnings.length === 1 ? "warning" : "warnings"}`);
    }
  },
});

function namesColumns({ config }: LoadedConfig): boolean {
  const { user, vehicle } = config.database.custom.columns;
  return [...Object.values(user), ...Object.values(vehicle)].some((value) => typeof value === "string");
}

/** The features and the database are loaded only when there is something to ask. */
async function columnFindings(loaded: LoadedConfig): Promise<ColumnFindings> {
  return await (await import("./config.columns.ts")).checkColumns(loaded);
}

async function subsystemFindings(loaded: LoadedConfig): Promise<readonly Finding[]> {
  return await (await import("./subsystems.ts")).unknownSubsystems(loaded);
}

const print = strict({
  meta: {
    name: "print",
    description: "Print the values in effect and where each comes from, without secrets",
  },
  args: { ...configArg, json: { type: "boolean", description: "Print one JSON document" } },
  run({ args }) {
    const loaded = loadOrRefuse(args.config);
    if (args.json) write(JSON.stringify(jsonSources(loaded), null, 2));
    else printSources(loaded);
  },
});

function jsonSources({ file, sources, notInEffect }: LoadedConfig) {
  const options = sources.map((source) => ({
    option: source.path,
    value: source.shown,
    source: sourceOf(source),
  }));
  return { file, options, notInEffect };
}

/** Where the value is from; with the reason where another value stands there. */
function sourceOf({ place, because }: OptionSource): string {
  return because === null ? formatSource(place) : `${formatSource(place)} (${because})`;
}

function showValue(source: OptionSource): string {
  if (source.shown === null) return "(none)";
  if (typeof source.shown === "string") return /^$|^\s|\s$/.test(source.shown) ? JSON.stringify(source.shown) : source.shown;
  return JSON.stringify(source.shown);
}

function printSources({ sources, notInEffect }: LoadedConfig): void {
  const widestPath = Math.max(...sources.map((source) => source.path.length));
  const widestValue = Math.min(60, Math.max(...sources.map((source) => showValue(source).length)));
  for (const source of sources) {
    write(`${source.path.padEnd(widestPath)}  ${showValue(source).padEnd(widestValue)}  ${sourceOf(source)}`);
  }
  if (notInEffect.length === 0) return;
  write("");
  write("Checked, but without effect in this version:");
  for (const path of notInEffect) write(`  ${path}`);
}

export const command = defineCommand({
  meta: { name: "config", description: "Check and print the configuration" },
  subCommands: { check, print },
});
