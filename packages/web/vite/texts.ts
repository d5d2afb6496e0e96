import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";

export const LANGUAGES = ["en", "de"] as const;
const PREFIX = "virtual:texts/";

export type Tree = { [key: string]: string | Tree };

/** Features whose texts the sign-in and the choice of a character show. */
const FIRST = new Set(["auth", "oauth"]);
/** Their errors, and the fields that these name, are in the first bundle too; those of all others are in `errors` and `fields`. */
const FIRST_ERRORS = new Set(["auth", "oauth", "system"]);
/** Features that are on every page of the application: the whole of their texts is in `frame`. */
const FRAME = new Set(["frame", "notifications", "preferences", "search"]);
/** Keys of every feature that may be shown on any page of the application. */
const FRAME_KEYS = new Set(["permissions", "name", "title", "titleHint", "commands", "keys", "bar"]);
/** Keys of every feature that pages about all features show, with the bundle that contains them. */
const SHARED_KEYS: Readonly<Record<string, string>> = {
  errors: "errors",
  fields: "fields",
  notifications: "notificationKinds",
  actions: "audit",
  approvals: "approvalKinds",
  findings: "findings",
  machines: "machines",
  exports: "audit",
};
/** What the server calls `panel` is shown in the audit log and beside schedules; in the browser it is a feature's own page. */
const SERVER_PANEL = "panel";

/** The bundle in which a key of a feature's text file is. */
function bundleOf(feature: string, key: string, ofServer: boolean): string {
  if ((key === "errors" || key === "fields") && FIRST_ERRORS.has(feature)) return "first";
  if (FRAME_KEYS.has(key)) return FIRST.has(feature) && key !== "permissions" ? "first" : "frame";
  const shared = SHARED_KEYS[key] ?? (ofServer && key === SERVER_PANEL ? "audit" : undefined);
  if (shared !== undefined) return shared;
  return FIRST.has(feature) ? "first" : FRAME.has(feature) ? "frame" : feature;
}

interface TextFile {
  readonly file: string;
  /** Null for the texts of no feature. */
  readonly feature: string | null;
  readonly tree: Tree;
}

function textFiles(root: string, language: string): string[] {
  return [
    ...globSync(join(root, `../server/src/{core,features}/**/*.text.${language}.json`)),
    ...globSync(join(root, `src/core/text/*${language}.json`)),
    ...globSync(join(root, `src/features/**/*.text.${language}.json`)),
  ].toSorted();
}

function readFiles(root: string, language: string): TextFile[] {
  return textFiles(root, language).map((file) => {
    const name = basename(file);
    const feature = name.includes(".text.") ? name.split(".")[0]! : null;
    return { file, feature, tree: JSON.parse(readFileSync(file, "utf8")) as Tree };
  });
}

/**
 * All texts in one language by bundle, and in a bundle by feature. `first` is loaded with every page, `frame` with every
 * page of the application; the others are named like their feature, or in `SHARED_KEYS`.
 */
export function readBundles(root: string, language: string): ReadonlyMap<string, Tree> {
  const bundles = new Map<string, Tree>([["first", {}]]);
  const of = (name: string) => {
    if (!bundles.has(name)) bundles.set(name, {});
    return bundles.get(name)!;
  };
  for (const { file, feature, tree } of readFiles(root, language)) {
    if (feature === null) merge(of(basename(file).startsWith("frame.") ? "frame" : "first"), tree, file);
    else
      for (const [key, value] of Object.entries(tree)) {
        const bundle = of(bundleOf(feature, key, file.includes("/server/")));
        merge((bundle[feature] ??= {}) as Tree, { [key]: value }, file);
      }
  }
  return bundles;
}

/** All bundles in one. */
export function readTexts(root: string, language: string): Tree {
  const all: Tree = {};
  for (const [name, tree] of readBundles(root, language)) merge(all, tree, name);
  return all;
}

/**
 * `virtual:texts/en` and `virtual:texts/de`: the first texts in one language, and `bundles` with what loads the others. A
 * bundle contains the server's texts of a feature, which bot and exports share, and the browser's own.
 */
export function texts(root: string): Plugin {
  return {
    name: "rollcall-texts",
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null;
      const [language = "", name = "first"] = id.slice(PREFIX.length + 1).split("/");
      for (const file of textFiles(root, language)) this.addWatchFile(file);
      const bundles = readBundles(root, language);
      const code = `export default JSON.parse(${JSON.stringify(JSON.stringify(bundles.get(name)))});`;
      if (name !== "first") return code;
      const others = [...bundles.keys()].filter((one) => one !== "first");
      const loaders = others.map((one) => `${JSON.stringify(one)}: () => import("${PREFIX}${language}/${one}")`);
      return `${code}\nexport const bundles = { ${loaders.join(", ")} };`;
    },
  };
}

function merge(target: Tree, source: Tree, file: string): void {
  for (const [key, value] of Object.entries(source)) {
    const present = target[key];
    if (present === undefined) target[key] = typeof value === "object" ? structuredClone(value) : value;
    else if (typeof present === "object" && typeof value === "object") merge(present, value, file);
    else throw new Error(`${file}: the text "${key}" is defined twice`);
  }
}
