import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";

type Text = { readonly [key: string]: string | Text };

const packages = path.resolve(import.meta.dirname, "../../..");

function* sentences(text: Text, prefix = ""): Generator<[key: string, sentence: string]> {
  for (const [key, value] of Object.entries(text))
    if (typeof value === "string") yield [`${prefix}${key}`, value];
    else yield* sentences(value, `${prefix}${key}.`);
}

function allOf(language: string): Map<string, string> {
  const all = new Map<string, string>();
  for (const file of globSync(`{web,server}/src/**/{*.text.,text/}${language}.json`, { cwd: packages }))
    for (const [key, sentence] of sentences(JSON.parse(readFileSync(path.join(packages, file), "utf8")) as Text))
      all.set(`${file.slice(0, -`${language}.json`.length)}${key}`, sentence);
  return all;
}

/** English sentences that stand nowhere in the German texts: seen in a German page, they were left behind. */
const onlyEnglish = (() => {
  const german = allOf("de");
  const words = new Set(german.values());
  return [...allOf("en")].filter(([key, text]) => german.get(key) !== text && !words.has(text)).map(([, text]) => text);
})();

/**
 * What a German page says in English: texts, labels and placeholders that are the English one of a key,
 * word for word. Keys, what is marked as English, messages that came before the language changed and
 * `names` of the game are not looked at.
 */
export async function leftInEnglish(page: Page, names: ReadonlySet<string>): Promise<string[]> {
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
