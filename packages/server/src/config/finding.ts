import type { Complaint } from "./parsed.ts";
import type { Place } from "./tree.ts";

/** A part of Rollcall that a warning degrades; /readyz shows it by this name. */
export type DegradedPart = "storage" | "postals";

/** A problem or a warning about one option. */
export interface Finding extends Complaint {
  /** Dotted path of the option. */
  readonly path: string;
  readonly place: Place;
  readonly part?: DegradedPart;
}

/** Exit code of a refused configuration (EX_CONFIG of sysexits). */
export const exitCodeConfig = 78;

/** `FILE:LINE:COL`, the name of the environment variable, or `default`. */
export function formatPlace(place: Place): string {
  if (place.kind === "file") return `${place.file}:${place.line}:${place.column}`;
  if (place.kind === "variable") return place.name;
  return "default";
}

/** Truncates long values. */
const longestWord = 200;
const shortened = (text: string) =>
  text.replace(/\S+/g, (word) => (word.length > longestWord ? `${word.slice(0, longestWord)}…` : word));

/** Formats one line: `FILE:LINE:COL  option.path  what is wrong  what to write instead`. */
export function formatFinding(finding: Finding): string {
  const parts = [formatPlace(finding.place), finding.path, shortened(finding.what), shortened(finding.instead)];
  return parts.map((part) => part.replace(/\s+/g, " ").trim()).join("  ");
}

/** The lines that explain to the operator why the configuration was refused. */
export function formatRefusal(refused: { readonly file: string | null; readonly problems: readonly Finding[] }): string[] {
  if (refused.file === null) return refused.problems.map((problem) => `rollcall: ${problem.what}; ${problem.instead}`);
  return refused.problems.map(formatFinding);
}

/** Formats the source of a value, for `config print`. */
export function formatSource(place: Place): string {
  if (place.kind === "variable" && place.file !== undefined) return `${place.file} (${place.name})`;
  return formatPlace(place);
}

/** Orders problems of the file by line and column, then those of the environment. */
export function compareFindings(a: Finding, b: Finding): number {
  if (a.place.kind === "file" && b.place.kind === "file") {
    return a.place.line - b.place.line || a.place.column - b.place.column || a.path.localeCompare(b.path);
  }
  const rank = { file: 0, variable: 1, default: 2 };
  return rank[a.place.kind] - rank[b.place.kind] || formatPlace(a.place).localeCompare(formatPlace(b.place));
}
