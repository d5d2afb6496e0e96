import { globSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "vite";
import { exportsOf } from "./chunks.ts";

const BASE = ["default-css-variables", "baseline", "global"];
const IMPORTED = /import\s*\{([^}]*)\}\s*from\s*"@mantine\/core"/g;
const CLASS = /\bm_[0-9a-f]{6,8}\b/g;

const read = (file: string) => readFileSync(file, "utf8");

/** Names that these sources import from the library. */
export function importedNames(sources: readonly string[]): ReadonlySet<string> {
  const lists = sources.flatMap((source) => [...source.matchAll(IMPORTED)].map(([, names]) => names!));
  return new Set(
    lists
      .flatMap((names) => names.split(","))
      .map((name) => name.split(/\sas\s/)[0]!.trim())
      .filter((name) => name !== "" && !name.startsWith("type ")),
  );
}

/** The components whose styles these names of the library need: they themselves and what they are made of. */
function componentsOf(library: string, names: ReadonlySet<string>): ReadonlySet<string> {
  const index = join(library, "esm/index.mjs");
  const exported = exportsOf(index, read(index));
  const files = new Set([...names].flatMap((name) => exported.get(name) ?? []));
  for (const file of files)
    for (const [, target] of read(file).matchAll(/from\s*["'](\.[^"']+)["']/g)) files.add(join(dirname(file), target!));
  return new Set([...files].filter((file) => file.endsWith(".module.mjs")).map((file) => basename(file, ".module.mjs")));
}

/** The style sheets of these components, in the order of the whole one. */
function sheetOf(library: string, components: ReadonlySet<string>): string {
  const whole = read(join(library, "styles.css"));
  return readdirSync(join(library, "styles"))
    .filter((file) => file.endsWith(".css") && (BASE.includes(basename(file, ".css")) || components.has(basename(file, ".css"))))
    .map((file) => {
      const sheet = read(join(library, "styles", file)).trim();
      const at = whole.indexOf(sheet);
      if (at < 0) throw new Error(`the styles of @mantine/core do not contain those of ${file}: see vite/mantineStyles.ts`);
      return { at, sheet };
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ sheet }) => sheet)
    .join("\n");
}

/** The library's classes in these scripts for which its whole style sheet has rules and this one has none. */
export function unstyled(scripts: readonly string[], whole: string, sheet: string): readonly string[] {
  const kept = new Set(sheet.match(CLASS));
  const all = new Set(whole.match(CLASS));
  return [...new Set(scripts.flatMap((script) => script.match(CLASS) ?? []))].filter((one) => all.has(one) && !kept.has(one));
}

/** `@mantine/core/styles.css` with the components that the application uses: two in five, half of its size. */
export function mantineStyles(root: string): Plugin {
  const library = dirname(createRequire(join(root, "package.json")).resolve("@mantine/core/styles.css"));
  let sheet = "";
  return {
    name: "rollcall-mantine-styles",
    enforce: "pre",
    load(id) {
      if (id.split("?")[0] !== join(library, "styles.css")) return null;
      const sources = globSync(join(root, "src/**/*.{ts,tsx}")).map(read);
      sheet = sheetOf(library, componentsOf(library, importedNames(sources)));
      return sheet;
    },
    generateBundle(_options, bundle) {
      const scripts = Object.values(bundle).flatMap((one) => (one.type === "chunk" ? [one.code] : []));
      const missing = unstyled(scripts, read(join(library, "styles.css")), sheet);
      if (missing.length > 0) throw new Error(`these classes of @mantine/core have no styles: ${missing.join(", ")}`);
    },
  };
}
