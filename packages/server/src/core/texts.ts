import { readFileSync } from "node:fs";
import i18next, { type i18n } from "i18next";

type Texts = { readonly [key: string]: string | Texts };
type Params = Readonly<Record<string, string | number>>;
type Language = "en" | "de";
const languages: readonly Language[] = ["en", "de"];

/** A text of a feature, as `errors.<name>`; null where it is missing. A param `count` chooses between singular and plural. */
type FindText = (feature: string, key: string, params: Params, language: Language) => string | null;

function readTexts(features: readonly string[], language: Language): Texts {
  return Object.fromEntries(
    features.map((feature) => {
      const file = new URL(`../features/${feature}/${feature}.text.${language}.json`, import.meta.url);
      return [feature, JSON.parse(readFileSync(file, "utf8")) as Texts];
    }),
  );
}

const locales: Readonly<Record<Language, string>> = { en: "en-GB", de: "de-DE" };

/** A calendar day as pages write it where nobody chose a region; anything else stays as it is. */
function writtenDay(day: string, language: Language): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  const shape =
    language === "en" ? ({ month: "short", day: "numeric" } as const) : ({ month: "2-digit", day: "2-digit" } as const);
  return new Intl.DateTimeFormat(locales[language], { timeZone: "UTC", year: "numeric", ...shape }).format(Date.parse(day));
}

/** With the library and the options of the browser, so that one text reads the same in both. */
function createTexts(features: readonly string[]): FindText {
  let created: i18n | null = null;
  const open = () => {
    const opened = i18next.createInstance({
      lng: "en",
      fallbackLng: false,
      resources: Object.fromEntries(languages.map((language) => [language, { translation: readTexts(features, language) }])),
      interpolation: { escapeValue: false },
      returnNull: false,
      initAsync: false,
    });
    void opened.init();
    opened.services.formatter?.add("day", (value, lng) => writtenDay(String(value), lng === "de" ? "de" : "en"));
    return opened;
  };
  return (feature, key, params, language) => {
    // Most commands and processes never need a text.
    created ??= open();
    const path = `${feature}.${key}`;
    return created.exists(path, { ...params, lng: language }) ? created.t(path, { ...params, lng: language }) : null;
  };
}

/** The text and the remedy of a finding of the doctor; its id where the text is missing. */
export function createFindingTexts(features: readonly string[], language: Language = "en") {
  const find = createTexts(features);
  return (id: string, params: Params): { readonly text: string; readonly remedy: string } => {
    const [feature = "", name = ""] = id.split(".", 2);
    return {
      text: find(feature, `findings.${name}.text`, params, language) ?? id,
      remedy: find(feature, `findings.${name}.remedy`, params, language) ?? "",
    };
  };
}

/**
 * Texts of these features; the result gives the message of an error code, or the code itself where a
 * message is missing.
 */
export function createErrorTexts(features: readonly string[], language: Language = "en") {
  const find = createTexts(features);
  return (code: string, params: Params): string => {
    const [feature = "", name = ""] = code.split(".", 2);
    return find(feature, `errors.${name}`, params, language) ?? code;
  };
}

/** What a permission allows, in words; its id where the text is missing. */
export function createPermissionTexts(features: readonly string[], language: Language = "en") {
  const find = createTexts(features);
  return (permission: string): string => {
    const [feature = "", name = ""] = permission.split(".", 2);
    return find(feature, `permissions.${name}`, {}, language) ?? permission;
  };
}

export interface NotificationTexts {
  readonly title: string;
  readonly text: string;
}

/** Title and text of a notification, as pages show it, without the sentences about permissions; the kind as title where its feature has no text. */
export function createNotificationTexts() {
  const features = new Map<string, FindText>();
  return (kind: string, params: Params, language: Language): NotificationTexts => {
    const [feature = "", ...name] = kind.split(".");
    const find = features.get(feature) ?? createTexts([feature]);
    features.set(feature, find);
    const of = (part: string) => find(feature, `notifications.${name.join(".")}.${part}`, params, language);
    return { title: of("title") ?? kind, text: of("text") ?? "" };
  };
}

/** The label of a kind of exports and the headers of its columns; ids where a text is missing. */
export interface ExportTexts {
  readonly label: string;
  header(column: string): string;
}

export function createExportTexts(features: readonly string[]) {
  const find = createTexts(features);
  return (kind: string, language: Language): ExportTexts => {
    const [feature = "", name = ""] = kind.split(".", 2);
    return {
      label: find(feature, `exports.${name}.label`, {}, language) ?? kind,
      header: (column) => find(feature, `exports.${name}.columns.${column}`, {}, language) ?? column,
    };
  };
}
