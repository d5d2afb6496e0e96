import { readFileSync } from "node:fs";

type Texts = { readonly [key: string]: string | Texts };
type Params = Readonly<Record<string, string | number>>;

/** Puts the parameters into a sentence with `{{name}}` places. */
export function fill(sentence: string, params: Params): string {
  return sentence.replaceAll(/\{\{(\w+)\}\}/g, (_place, name: string) => String(params[name] ?? ""));
}

type Language = "en" | "de";

function readTexts(features: readonly string[], language: Language): Map<string, Texts> {
  return new Map(
    features.map((feature) => {
      const file = new URL(`../features/${feature}/${feature}.text.${language}.json`, import.meta.url);
      return [feature, JSON.parse(readFileSync(file, "utf8")) as Texts];
    }),
  );
}

/** What a finding of the doctor says, and what to do about it; the id where words are missing. */
export function createFindingTexts(features: readonly string[], language: Language = "en") {
  const texts = readTexts(features, language);
  return (id: string, params: Params): { readonly text: string; readonly remedy: string } => {
    const [feature = "", name = ""] = id.split(".", 2);
    const findings = texts.get(feature)?.["findings"];
    const words = typeof findings === "object" ? findings[name] : undefined;
    const part = (key: string) => {
      const sentence = typeof words === "object" ? words[key] : undefined;
      return typeof sentence === "string" ? fill(sentence, params) : "";
    };
    return { text: part("text") || id, remedy: part("remedy") };
  };
}

/**
 * Reads the texts of these features and answers with the sentence of an error code, in English
 * unless told otherwise; the code itself where a sentence is missing.
 */
export function createSentences(features: readonly string[], language: Language = "en") {
  const texts = readTexts(features, language);
  return (code: string, params: Params): string => {
    const [feature = "", name = ""] = code.split(".", 2);
    const errors = texts.get(feature)?.["errors"];
    const sentence = typeof errors === "object" ? errors[name] : undefined;
    return typeof sentence === "string" ? fill(sentence, params) : code;
  };
}
