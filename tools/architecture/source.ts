import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** One import of a source file. */
export interface Import {
  readonly target: string;
  readonly typeOnly: boolean;
}

/** A source file of one package, by its path below the package's `src`. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

const statement = /^\s*(?:import|export)\s+(type\s+)?(?:[\w*{}\s,$]+?\s+from\s+)?["']([^"']+)["']/gm;
const dynamic = /\bimport\(\s*["']([^"']+)["']\s*\)(\.)?/g;

function resolve(from: string, target: string): string {
  if (target.startsWith("#")) return target.slice(1);
  if (target.startsWith(".")) return path.posix.join(path.posix.dirname(from), target);
  return `npm:${target}`;
}

export function sourceOf(file: string, text: string): Source {
  const imports: Import[] = [];
  for (const match of text.matchAll(statement)) {
    const [whole, type, target = ""] = match;
    const named = /\{([^}]*)\}/.exec(whole)?.[1] ?? "";
    const allTypes =
      named.trim() !== "" &&
      !/import\s+\w/.test(whole.replace(/import\s+type/, "")) &&
      named
        .split(",")
        .filter((one) => one.trim())
        .every((one) => one.trim().startsWith("type "));
    imports.push({ target: resolve(file, target), typeOnly: type !== undefined || allTypes });
  }
  for (const match of text.matchAll(dynamic)) imports.push({ target: resolve(file, match[1] ?? ""), typeOnly: match[2] === "." });
  return { path: file, text, imports };
}

export function readSources(root: string): Source[] {
  const walk = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) return walk(place);
      return /\.tsx?$/.test(entry.name) || entry.name.endsWith(".text.en.json") ? [place] : [];
    });
  return walk(root).map((file) => sourceOf(path.relative(root, file).replaceAll(path.sep, "/"), readFileSync(file, "utf8")));
}
