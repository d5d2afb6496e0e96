import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";

export const LANGUAGES = ["en", "de"] as const;
const PREFIX = "virtual:texts/";

type Tree = { [key: string]: string | Tree };

/**
 * `virtual:texts/en` and `virtual:texts/de`: every sentence of the application in one language, by
 * feature: the server's feature texts, which bot and exports share, and the browser's own beside them.
 */
export function texts(root: string): Plugin {
  return {
    name: "rollcall-texts",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const language = id.slice(PREFIX.length + 1);
      for (const file of textFiles(root, language)) this.addWatchFile(file);
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(readTexts(root, language)))});`;
    },
  };
}

function textFiles(root: string, language: string): string[] {
  return [
    ...globSync(join(root, `../server/src/{core,features}/**/*.text.${language}.json`)),
    join(root, `src/core/text/${language}.json`),
    ...globSync(join(root, `src/features/**/*.text.${language}.json`)),
  ].toSorted();
}

export function readTexts(root: string, language: string): Tree {
  const all: Tree = {};
  for (const file of textFiles(root, language)) {
    const tree = JSON.parse(readFileSync(file, "utf8")) as Tree;
    const name = basename(file);
    if (!name.includes(".text.")) merge(all, tree, file);
    else merge((all[name.split(".")[0]!] ??= {}) as Tree, tree, file);
  }
  return all;
}

function merge(target: Tree, source: Tree, file: string): void {
  for (const [key, value] of Object.entries(source)) {
    const present = target[key];
    if (present === undefined) target[key] = value;
    else if (typeof present === "object" && typeof value === "object") merge(present, value, file);
    else throw new Error(`${file}: the text "${key}" is defined twice`);
  }
}
