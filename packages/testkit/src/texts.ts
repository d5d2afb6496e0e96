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

/** English texts that do not occur in German ones: on a German page, they are missing translations. */
const onlyEnglish = (() => {
  const german = allOf("de");
  const germanTexts = new Set(german.values());
  return [...allOf("en")].filter(([key, text]) => german.get(key) !== text && !germanTexts.has(text)).map(([, text]) => text);
})();

/**
 * English on a German page: texts, labels and placeholders that equal the English text of a key. Skips
 * keys, elements marked as English, toasts from before the change of language and `names` of the game.
 */
export async function findUntranslated(page: Page, names: ReadonlySet<string>): Promise<string[]> {
  const seen = await page.evaluate(() => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent && parent.closest("script, style, kbd, [lang=en], [role=log]") === null)
        found.add((walker.currentNode.textContent ?? "").trim());
    }
    for (const element of document.querySelectorAll("[aria-label], [placeholder], [title]"))
      for (const name of ["aria-label", "placeholder", "title"]) found.add((element.getAttribute(name) ?? "").trim());
    return [...found];
  });
  const english = new Set(onlyEnglish);
  return seen.filter((text) => english.has(text) && !names.has(text));
}
