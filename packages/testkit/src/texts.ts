import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";

type Text = { readonly [key: string]: string | Text };

const packages = path.resolve(import.meta.dirname, "../..");

function* entries(text: Text, prefix = ""): Generator<[key: string, text: string]> {
  for (const [key, value] of Object.entries(text))
    if (typeof value === "string") yield [`${prefix}${key}`, value];
    else yield* entries(value, `${prefix}${key}.`);
}

/** The texts of a language by what `t` is called with: those of a feature begin with its name, the others name it themselves. */
function* textsOf(file: string, language: string): Generator<[key: string, text: string]> {
  const texts = JSON.parse(readFileSync(path.join(packages, file), "utf8")) as Text;
  const [, feature] = new RegExp(`/([\\w-]+)\\.text\\.${language}\\.json$`).exec(file) ?? [];
  yield* entries(texts, feature === undefined ? "" : `${feature}.`);
}

function allOf(language: string): Map<string, string> {
  const files = globSync(`{web,server}/src/**/{*.text.,text/,text/*.}${language}.json`, { cwd: packages });
  return new Map(files.flatMap((file) => [...textsOf(file, language)]));
}

const englishTexts = allOf("en");
const germanTexts = allOf("de");
const keys = new Set([...englishTexts.keys()].map((key) => key.replace(/_(?:one|other)$/, "")));
const namespaces = new Set([...keys].map((key) => key.split(".", 1)[0] ?? ""));
const dotted = /\{\{|\}\}|\b[a-z]\w*(?:\.\w+)+/g;

/** The English text of a key. Throws if it has none. */
export function englishText(key: string): string {
  const text = englishTexts.get(key);
  if (text === undefined) throw new Error(`there is no text ${key}`);
  return text;
}

/** Keys of texts that a page shows instead of the texts, and parameters that were not filled in. */
export function rawKeys(text: string): string[] {
  return [...text.matchAll(dotted)]
    .map(([found]) => found)
    .filter((found) => {
      const parts = found.split(".");
      // Addresses of examples, as `updates.city.example`.
      if (parts.at(-1) === "example") return false;
      return found.length === 2 || keys.has(found) || (namespaces.has(parts[0]!) && parts.length > 2);
    });
}

/** Texts, labels and placeholders of a page, without keys, elements marked as English and toasts from before a change of language. */
export async function shownTexts(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent && parent.closest("script, style, kbd, [lang=en]:not(html), [role=log]") === null)
        found.add((walker.currentNode.textContent ?? "").trim());
    }
    for (const element of document.querySelectorAll("[aria-label], [placeholder], [title]"))
      for (const name of ["aria-label", "placeholder", "title"]) found.add((element.getAttribute(name) ?? "").trim());
    return [...found];
  });
}

/** What German says with the same words, such as “Register” for records: shown on a German page, it may be that text. */
const german = new Set(germanTexts.values());

/** English texts that do not occur in German ones: on a German page, they are missing translations. */
const english = new Set([...englishTexts.values()].filter((text) => !german.has(text)));

/** Texts that equal the English text of a key, on a German page. Skips `names` of the game. */
export const untranslated = (shown: readonly string[], names: ReadonlySet<string>): string[] =>
  shown.filter((text) => english.has(text) && !names.has(text));
