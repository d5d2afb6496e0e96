import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";

export const LANGUAGES = ["en", "de"] as const;
const PREFIX = "virtual:texts/";

/** Features whose texts are needed in the control panel and the account page only. */
const PANEL_FEATURES = new Set([
  "access",
  "accesslists",
  "account",
  "accounts",
  "approvals",
  "audit",
  "scheduler",
  "settings",
  "setup",
]);
/** The keys of these features that other pages use too. */
const SHARED_KEYS = new Set(["permissions", "notifications"]);
/** The keys of all other features that only the control panel uses. */
const PANEL_KEYS = new Set(["actions", "approvals", "exports", "findings", "machines", "panel"]);

type Tree = { [key: string]: string | Tree };
type Part = "first" | "panel";

/**
 * `virtual:texts/en` and `virtual:texts/de`: all texts of the application in one language, by
 * feature: the server's feature texts, which bot and exports share, merged with the browser's own.
 * `virtual:texts/en/panel` contains what is loaded with the first page of the control panel.
 */
export function texts(root: string): Plugin {
  return {
    name: "rollcall-texts",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const [language = "", part] = id.slice(PREFIX.length + 1).split("/");
      for (const file of textFiles(root, language)) this.addWatchFile(file);
      const texts = readTexts(root, language, part === "panel" ? "panel" : "first");
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(texts))});`;
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

/** Both parts unless one is named. */
export function readTexts(root: string, language: string, part?: Part): Tree {
  const all: Tree = {};
  for (const file of textFiles(root, language)) {
    const tree = JSON.parse(readFileSync(file, "utf8")) as Tree;
    const name = basename(file);
    if (name.includes(".text.")) {
      const feature = name.split(".")[0]!;
      merge((all[feature] ??= {}) as Tree, partOf(feature, tree, part), file);
    } else if (part !== "panel") merge(all, tree, file);
  }
  return all;
}

function partOf(feature: string, tree: Tree, part: Part | undefined): Tree {
  if (part === undefined) return tree;
  const inPanel = (key: string) => (PANEL_FEATURES.has(feature) ? !SHARED_KEYS.has(key) : PANEL_KEYS.has(key));
  return Object.fromEntries(Object.entries(tree).filter(([key]) => inPanel(key) === (part === "panel")));
}

function merge(target: Tree, source: Tree, file: string): void {
  for (const [key, value] of Object.entries(source)) {
    const present = target[key];
    if (present === undefined) target[key] = value;
    else if (typeof present === "object" && typeof value === "object") merge(present, value, file);
    else throw new Error(`${file}: the text "${key}" is defined twice`);
  }
}
