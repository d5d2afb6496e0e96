import i18next, { type i18n, type TFunction } from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { reportMissing } from "#core/i18n.missing.ts";
import { preferences, type Language } from "#core/preferences.ts";

const load: Record<Language, () => Promise<{ default: Record<string, unknown> }>> = {
  en: () => import("virtual:texts/en"),
  de: () => import("virtual:texts/de"),
};

const loadPanel: typeof load = {
  en: () => import("virtual:texts/en/panel"),
  de: () => import("virtual:texts/de/panel"),
};

let panelWanted = false;

const NAMESPACE = "rollcall";

/** Loads the texts of the preferred language, and of another one when the preference changes. */
export async function startI18n(): Promise<i18n> {
  const { language } = preferences.get();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    defaultNS: NAMESPACE,
    ns: [NAMESPACE],
    resources: { [language]: { [NAMESPACE]: (await load[language]()).default } },
    interpolation: { escapeValue: false },
    returnNull: false,
    saveMissing: true,
    missingKeyHandler: reportMissing,
  });
  document.documentElement.lang = language;
  preferences.subscribe(() => void follow());
  return i18next;
}

async function follow(): Promise<void> {
  const { language } = preferences.get();
  if (language === i18next.language) return;
  if (!i18next.hasResourceBundle(language, NAMESPACE)) {
    i18next.addResourceBundle(language, NAMESPACE, (await load[language]()).default);
  }
  if (panelWanted) await addPanel(language);
  if (preferences.get().language !== language) return;
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Adds the texts of the control panel, now and for every language that is chosen later. */
export async function loadPanelTexts(): Promise<void> {
  panelWanted = true;
  await addPanel(preferences.get().language);
}

async function addPanel(language: Language): Promise<void> {
  i18next.addResourceBundle(language, NAMESPACE, (await loadPanel[language]()).default, true, true);
}

export type Translate = TFunction;

export function useText(): { t: Translate; language: Language } {
  const { t, i18n } = useTranslation();
  return { t, language: i18n.language as Language };
}
