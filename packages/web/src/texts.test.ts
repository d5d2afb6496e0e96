import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { LANGUAGES, readBundles, type Tree } from "../vite/texts.ts";

const root = path.resolve(import.meta.dirname, "..");
const source = path.join(root, "src");
const bundles = readBundles(root, "en");

/** The bundle of each text, by its key. */
const bundleOf = new Map<string, string>();
function note(bundle: string, tree: Tree, prefix: string): void {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === "string") bundleOf.set(`${prefix}${key}`.replace(/_(?:one|other|zero)$/, ""), bundle);
    else note(bundle, value, `${prefix}${key}.`);
  }
}
for (const [bundle, tree] of bundles) note(bundle, tree, "");
const keys = [...bundleOf.keys()];

/** Bundles with one of the texts in them, for the message of a failure. */
type Shown = ReadonlyMap<string, string>;

interface Module {
  readonly file: string;
  readonly imports: readonly string[];
  /** What is loaded later, with the bundles that are loaded beside it. */
  readonly loads: readonly { readonly target: string; readonly texts: readonly string[] }[];
  /** What it names, and what it composes for any feature: the errors of `ProblemNote`. */
  readonly shows: { readonly named: Shown; readonly composed: Shown };
}

const files = globSync("**/*.{ts,tsx}", { cwd: source }).filter((file) => !/(?:\.test|testkit|\.states|\.d)\.tsx?$/.test(file));

function resolve(from: string, target: string): string | null {
  if (target.startsWith("#")) return target.slice(1);
  return target.startsWith(".") ? path.posix.join(path.posix.dirname(from), target) : null;
}

/** Bundles with texts of all features. */
const shared = new Set(["first", "frame", "audit", "approvalKinds", "fields", "findings", "notificationKinds"]);

/**
 * Texts that a source names as a whole, or as a template in which a parameter is a word of the key, and `path` several. A
 * template that begins with a parameter is for any feature, and may be the beginning of a key.
 */
function shownBy(code: string): Module["shows"] {
  const found = (all: readonly string[]): Shown => new Map(all.map((key) => [bundleOf.get(key)!, key]));
  const whole = [...code.matchAll(/"([a-z]\w*(?:\.\w+)+)"/gi)].map(([, key]) => key!).filter((key) => bundleOf.has(key));
  const templates = [...code.matchAll(/`((?:[\w.]|\$\{[^}]*\})+)`/g)].map(([, template]) => template!);
  const fitting = (start: RegExp, end: string) =>
    templates
      .filter((template) => start.test(template) && template.includes("$"))
      .map((template) => template.replaceAll(/\.(?![^{}]*\})/g, "\\.").replaceAll("${path}", "[\\w.]+"))
      .map((template) => template.replaceAll(/\$\{[^}]*\}/g, "\\w+"))
      .flatMap((pattern) => keys.filter((key) => new RegExp(`^${pattern}${end}`).test(key)));
  const ofAny = fitting(/^\$\{[^}]*\}\.[a-z]/, "(?:\\.|$)").filter((key) => shared.has(bundleOf.get(key)!));
  // The texts of the answer to a call are loaded with it, but not those of a code that was stored.
  const stored = /problemMessage\(t, new Problem\(/.test(code)
    ? keys.filter((key) => ["errors", "fields"].includes(bundleOf.get(key)!))
    : [];
  return { named: found([...whole, ...stored, ...fitting(/^[a-z]\w*\./, "$")]), composed: found(ofAny) };
}

/** The modules behind an import: of the parts that a feature offers to others, only what is imported. */
function entriesOf(target: string | null, names: string): string[] {
  if (target === null) return [];
  if (!target.endsWith(".api.ts")) return [target];
  const code = readFileSync(path.join(source, target), "utf8");
  const exported = [...code.matchAll(/export \{([^}]*)\} from "([^"]+)"/g)];
  const wanted = exported.filter(([, own]) => own!.split(",").some((one) => new RegExp(`\\b${one.trim()}\\b`).test(names)));
  return [target, ...wanted.map(([, , from]) => resolve(target, from!)!)];
}

function read(file: string): Module {
  const code = readFileSync(path.join(source, file), "utf8").replace(/^\s*(?:\/\/|\*|\/\*).*$|\bid: "[^"]*"/gm, "");
  const fixed = [...code.matchAll(/(?:^|\n)\s*(?:import|export)\s(?!type\b)([^"';]*?from\s*)?"([^"]+)"/g)];
  const later = [
    ...code.matchAll(
      /(?:(?:page|part|withTexts)(?:<[^>]*(?:<[^>]*>[^>]*)?>)?\(\s*(\[[^\]]*\]|[A-Z]+),[^"]*?)?\bimport\("([^"]+)"\)/g,
    ),
  ];
  const named = (list = "[]") => [.../"(\w+)"/g[Symbol.matchAll](list.startsWith("[") ? list : valueOf(code, list))];
  return {
    file,
    imports: file.endsWith(".api.ts") ? [] : fixed.flatMap(([, names, target]) => entriesOf(resolve(file, target!), names ?? "")),
    loads: later.flatMap(([, list, to]) => {
      const target = resolve(file, to!);
      return target === null ? [] : [{ target, texts: named(list).map(([, name]) => name!) }];
    }),
    // What the message of a failed call names is loaded with the message.
    shows: file === "core/messages.ts" ? shownBy(code.replace("fields.${params", "")) : shownBy(code),
  };
}

const valueOf = (code: string, name: string) => new RegExp(`const ${name} = (\\[[^\\]]*\\])`).exec(code)?.[1] ?? "[]";

const modules = new Map(files.map((file) => [file, read(file)]));

function closureOf(start: string): ReadonlySet<string> {
  const found = new Set([start]);
  for (const file of found) for (const one of modules.get(file)?.imports ?? []) if (modules.has(one)) found.add(one);
  return found;
}

/** Parts that are shown before the frame's texts are loaded: the start, and what it loads without them. */
function beforeFrame(): ReadonlySet<string> {
  const parts = new Set(["main.tsx"]);
  for (const start of parts)
    for (const file of closureOf(start))
      for (const { target, texts } of modules.get(file)?.loads ?? [])
        if (!texts.includes("frame") && modules.has(target)) parts.add(target);
  return parts;
}

const early = beforeFrame();

function shownWith(start: string): Shown {
  const shown = [...closureOf(start)].flatMap((file) => modules.get(file)?.shows ?? []);
  // Before the frame, an error whose text is not there yet is shown by its code.
  return new Map(shown.flatMap(({ named, composed }) => [...named, ...(early.has(start) ? [] : composed)]));
}

test("each part of a page is loaded with the texts that it shows", () => {
  const missing: string[] = [];
  for (const { file, loads } of modules.values())
    for (const { target, texts } of loads) {
      const loaded = new Set(["first", ...(early.has(target) ? [] : ["frame"]), ...texts]);
      for (const [bundle, key] of shownWith(target))
        if (!loaded.has(bundle)) missing.push(`${file} loads ${target} without ${bundle} (${key})`);
    }
  expect(missing).toEqual([]);
});

test("no part of a page is loaded with texts that it does not show", () => {
  const needless: string[] = [];
  for (const { file, loads } of modules.values())
    for (const { target, texts } of loads) {
      const shown = shownWith(target);
      const without = texts.filter((bundle) => bundle !== "frame" && !shown.has(bundle));
      if (without.length > 0) needless.push(`${file} loads ${target} with ${without.join(", ")}`);
    }
  expect(needless).toEqual([]);
});

test("what the start shows is in the first bundle", () => {
  expect([...shownWith("main.tsx").keys()]).toEqual(["first"]);
});

test("both languages have the same bundles", () => {
  const [en, de] = LANGUAGES.map((language) => [...readBundles(root, language).keys()]);
  expect(de).toEqual(en);
});

/** Words of docs/glossary.md that others replaced in the interface. */
const replaced: Readonly<Record<"en" | "de", RegExp>> = {
  en: /[Aa]udit trail|\b[Mm]eanwhile\b|\banew\b|looked at|[Pp]ut up|[Pp]ut (?:a|an|the) [\w ]+ up\b|[Tt]aken? down|[Tt]ake (?:a|an|the) [\w ]+ down\b|[Ss]cheduled job|[Rr]ecurring job|in the background|start page|[Ff]irst steps|switched o(?:n|ff)|[Pp]lay time|\b[Vv]isum\b|\b(?:[Tt]he|[Mm]y|[Yy]our) rights?\b(?! arrow)|\b[Ww]hoever\b|\bIds?\b|(?<![.\-{])\bids?\b/,
  de: /Konfigurations-Admin|Admin-Modus|Job-Adminmodus|im Hintergrund|[Gg]eplante Aufgabe|freige(?:ben|geben)|\bpasst\b|Fassung|Vorgangsnummer|\bId\b|\bIcons?\b|Sync API|Berechtigung|\b(?:Beheben|Prüfen|Setzen|Wählen) Sie\b/,
};

test.each(["en", "de"] as const)("one word for one thing (%s)", (language) => {
  const texts = [...globSync(`**/*{text.,/}${language}.json`, { cwd: path.resolve(root, "..") })].filter((file) =>
    /^(?:web|server)\/src\//.test(file),
  );
  expect(texts.length).toBeGreaterThan(40);
  const found: string[] = [];
  const look = (file: string, tree: Tree): void => {
    for (const value of Object.values(tree)) {
      if (typeof value !== "string") look(file, value);
      else if (replaced[language].test(value)) found.push(`${file}: ${value}`);
    }
  };
  for (const file of texts) look(file, JSON.parse(readFileSync(path.resolve(root, "..", file), "utf8")) as Tree);
  expect(found).toEqual([]);
});

/** What the OpenAPI and AsyncAPI documents, and the docs that are generated, say of operations and of their fields. */
const inContracts = /\b(?:summary|description|owner):\s*(["'`])((?:\\.|(?!\1).)*)\1/g;

test("one word for one thing, in contracts too", () => {
  const server = path.resolve(root, "../server/src");
  const contracts = globSync(["features/**/*.contract.ts", "core/contract/*.ts"], { cwd: server });
  const texts = contracts.flatMap((file) =>
    [...readFileSync(path.join(server, file), "utf8").matchAll(inContracts)].map(([, , text]) => ({ file, text: text! })),
  );
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter(({ text }) => replaced.en.test(text)).map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});
