import { readFileSync } from "node:fs";

type Texts = { readonly [key: string]: string | Texts };
type Params = Readonly<Record<string, string | number>>;

/** Puts the parameters into a sentence with `{{name}}` places. */
export function fill(sentence: string, params: Params): string {
  return sentence.replaceAll(/\{\{(\w+)\}\}/g, (_place, name: string) => String(params[name] ?? ""));
}

/**
 * Reads the texts of these features and answers with the sentence of an error code, in English
 * unless told otherwise; the code itself where a sentence is missing.
 */
export function createSentences(features: readonly string[], language: "en" | "de" = "en") {
  const texts = new Map<string, Texts>();
  for (const feature of features) {
    const file = new URL(`../features/${feature}/${feature}.text.${language}.json`, import.meta.url);
    texts.set(feature, JSON.parse(readFileSync(file, "utf8")) as Texts);
  }
  return (code: string, params: Params): string => {
    const [feature = "", name = ""] = code.split(".", 2);
    const errors = texts.get(feature)?.["errors"];
    const sentence = typeof errors === "object" ? errors[name] : undefined;
    return typeof sentence === "string" ? fill(sentence, params) : code;
  };
}
