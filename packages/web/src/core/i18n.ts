import i18next, { type i18n, type TFunction } from "i18next";
import { addTexts, NAMESPACE, type Texts } from "#core/i18n.bundles.ts";
import { reportMissing } from "#core/i18n.missing.ts";
import { preferences, type Language } from "#core/preferences.ts";
import { createStore, useStore } from "#core/store.ts";
import { calendarDay } from "#core/time.ts";

type Load = () => Promise<{ readonly default: Texts }>;

/** The texts that every page shows in one language, and how the bundles of the others are loaded. */
interface FirstTexts {
  readonly default: Texts;
  readonly bundles: Readonly<Record<string, Load>>;
}

const first: Record<Language, () => Promise<FirstTexts>> = {
  en: () => import("virtual:texts/en"),
  de: () => import("virtual:texts/de"),
};

export type Translate = TFunction;

interface Shown {
  readonly t: Translate;
  readonly language: Language;
}

const shown = createStore<Shown>({ t: i18next.t, language: preferences.get().language });
/** Bundles that something open shows: a language that is chosen later gets them too. */
const wanted = new Set<string>();
/** Languages whose first texts are there, and bundles of a language. */
const added = new Set<string>();

/** Loads the first texts of the preferred language, and of another one when the preference changes. */
export async function startI18n(): Promise<i18n> {
  const { language } = preferences.get();
  await i18next.init({
    lng: language,
    fallbackLng: false,
    defaultNS: NAMESPACE,
    ns: [NAMESPACE],
    resources: { [language]: { [NAMESPACE]: (await first[language]()).default } },
    interpolation: { escapeValue: false },
    returnNull: false,
    saveMissing: true,
    missingKeyHandler: reportMissing,
  });
  i18next.services.formatter?.add("number", writtenNumber);
  // A day in a text, as `{{day, day}}`: pages get it as the contracts have it.
  i18next.services.formatter?.add("day", (value, lng) => calendarDay(String(value), lng === "de" ? "de" : "en"));
  added.add(language);
  show(language);
  preferences.subscribe(() => void follow());
  // Another one may have been chosen while the texts of this one were loaded.
  void follow();
  return i18next;
}

/** Counts are written without the browser's formats: the first of these takes a tenth of the time to draw a list. */
function writtenNumber(value: number, language: string | undefined): string {
  if (!Number.isSafeInteger(value)) return value.toLocaleString(language);
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, language === "de" ? "." : ",");
}

function show(language: Language): void {
  shown.set({ t: i18next.getFixedT(language), language });
  document.documentElement.lang = language;
}

async function follow(): Promise<void> {
  const { language } = preferences.get();
  if (language === i18next.language) return;
  if (!added.has(language)) addTexts(i18next, language, (await first[language]()).default);
  added.add(language);
  await add(language, [...wanted]);
  if (preferences.get().language !== language) return;
  await i18next.changeLanguage(language);
  show(language);
}

async function add(language: Language, names: readonly string[]): Promise<void> {
  const { bundles } = await first[language]();
  await Promise.all(
    names.map(async (name) => {
      const id = `${language} ${name}`;
      if (added.has(id)) return;
      const load = bundles[name];
      if (!load) throw new Error(`there are no texts ${name}`);
      addTexts(i18next, language, (await load()).default);
      added.add(id);
    }),
  );
}

/**
 * Adds bundles of texts, now and for every language that is chosen later. A bundle is named like the feature whose
 * texts it contains; `frame`, `errors`, `audit`, `approvalKinds`, `notificationKinds` and `findings` contain a part of the texts of all features.
 */
async function loadTexts(names: readonly string[]): Promise<void> {
  for (const name of names) wanted.add(name);
  const languages = new Set([preferences.get().language, i18next.language as Language]);
  await Promise.all([...languages].map((language) => add(language, names)));
}

/** A function that loads a module and, at the same time, the bundles of texts that it shows. */
export function withTexts<M>(texts: readonly string[], load: () => Promise<M>): () => Promise<M> {
  return async () => (await Promise.all([load(), loadTexts(texts)]))[0];
}

/** Loads the texts of the errors of all features, if that of this code is not there yet. */
export async function loadErrorText(code: string): Promise<void> {
  const [feature, ...rest] = code.split(".");
  if (!i18next.exists(`${feature}.errors.${rest.join(".")}`)) await loadErrorTexts();
}

export const loadErrorTexts = async (): Promise<void> => await loadTexts(["errors", "fields"]);

export function useText(): Shown {
  return useStore(shown);
}
