import { readFileSync } from "node:fs";

type Texts = { readonly [key: string]: string | Texts };
type Params = Readonly<Record<string, string | number>>;

/** Replaces the `{{name}}` placeholders of a message. */
export function fill(message: string, params: Params): string {
  return message.replaceAll(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => String(params[name] ?? ""));
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

/** The text and the remedy of a finding of the doctor; its id where the text is missing. */
export function createFindingTexts(features: readonly string[], language: Language = "en") {
  const texts = readTexts(features, language);
  return (id: string, params: Params): { readonly text: string; readonly remedy: string } => {
    const [feature = "", name = ""] = id.split(".", 2);
    const findings = texts.get(feature)?.["findings"];
    const finding = typeof findings === "object" ? findings[name] : undefined;
    const message = (key: string) => {
      const found = typeof finding === "object" ? finding[key] : undefined;
      return typeof found === "string" ? fill(found, params) : "";
    };
    return { text: message("text") || id, remedy: message("remedy") };
  };
}

/**
 * Reads the texts of these features; the result gives the message of an error code, or the code itself
 * where a message is missing.
 */
export function createErrorTexts(features: readonly string[], language: Language = "en") {
  const texts = readTexts(features, language);
  return (code: string, params: Params): string => {
    const [feature = "", name = ""] = code.split(".", 2);
    const errors = texts.get(feature)?.["errors"];
    const message = typeof errors === "object" ? errors[name] : undefined;
    return typeof message === "string" ? fill(message, params) : code;
  };
}

/** The label of a kind of exports and the headers of its columns; ids where a text is missing. */
export interface ExportTexts {
  readonly label: string;
  header(column: string): string;
}

/** Reads the texts of these features when they are needed first. */
export function createExportTexts(features: readonly string[]) {
  const read = new Map<Language, Map<string, Texts>>();
  return (kind: string, language: Language): ExportTexts => {
    const texts = read.get(language) ?? readTexts(features, language);
    read.set(language, texts);
    const [feature = "", name = ""] = kind.split(".", 2);
    const all = texts.get(feature)?.["exports"];
    const own = typeof all === "object" ? all[name] : undefined;
    const member = (of: string | Texts | undefined, key: string) => (typeof of === "object" ? of[key] : undefined);
    const textOr = (text: string | Texts | undefined, id: string) => (typeof text === "string" ? text : id);
    return {
      label: textOr(member(own, "label"), kind),
      header: (column) => textOr(member(member(own, "columns"), column), column),
    };
  };
}
