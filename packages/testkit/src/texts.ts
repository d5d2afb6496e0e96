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

function allOf(language: string): Map<string, string> {
  const all = new Map<string, string>();
  for (const file of globSync(`{web,server}/src/**/{*.text.,text/}${language}.json`, { cwd: packages }))
    for (const [key, value] of entries(JSON.parse(readFileSync(path.join(packages, file), "utf8")) as Text))
      all.set(`${file.slice(0, -`${language}.json`.length)}${key}`, value);
  return all;
}

/** What `t` is called with: the texts of a feature begin with its name, those in `text/` name it themselves. */
function keyOf(place: string): string {
  const [, feature, key = ""] = /(?:([\w-]+)\.text\.|text\/)([^/]+)$/.exec(place) ?? [];
  return feature === undefined ? key : `${feature}.${key}`;
}

const englishTexts = new Map([...allOf("en")].map(([place, text]) => [keyOf(place), text]));
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

/** English texts that do not occur in German ones: on a German page, they are missing translations. */
const onlyEnglish = (() => {
  const german = allOf("de");
  const germanTexts = new Set(german.values());
  return [...allOf("en")].filter(([key, text]) => german.get(key) !== text && !germanTexts.has(text)).map(([, text]) => text);
})();

const english = new Set(onlyEnglish);

/** Texts that equal the English text of a key, on a German page. Skips `names` of the game. */
export const untranslated = (shown: readonly string[], names: ReadonlySet<string>): string[] =>
  shown.filter((text) => english.has(text) && !names.has(text));
