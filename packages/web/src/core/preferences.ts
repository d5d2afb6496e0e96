import { device } from "#core/storage.ts";
import { createStore, useStore } from "#core/store.ts";

export type Scheme = "dark" | "light" | "auto";
export type Density = "compact" | "comfortable";
export type Language = "en" | "de";
export const languages: readonly Language[] = ["en", "de"];

/** How this device likes the application; `scheme.js` reads the same record before the first paint. */
export interface Preferences {
  readonly scheme: Scheme;
  readonly language: Language;
  readonly density: Density;
  /** Single letters as shortcuts; off for people whose input software types letters by itself. */
  readonly singleKeys: boolean;
  readonly navigationCollapsed: boolean;
}

const NAME = "preferences";

function defaults(): Preferences {
  const preferred = typeof navigator === "undefined" ? "" : (navigator.language ?? "");
  return {
    scheme: "dark",
    language: preferred.toLowerCase().startsWith("de") ? "de" : "en",
    density: "compact",
    singleKeys: true,
    navigationCollapsed: false,
  };
}

function load(): Preferences {
  const kept = device.read(NAME);
  return {
    ...defaults(),
    ...(typeof kept === "object" && kept !== null ? (kept as Partial<Preferences>) : {}),
  };
}

export const preferences = createStore(load());

/** The language of this instance, for browsers that asked for none that we speak. Not kept: the operators may change it. */
export function applyDefaultLanguage(language: string): void {
  const asked = typeof navigator === "undefined" ? "" : (navigator.language ?? "");
  const spoken = languages.some((one) => asked.toLowerCase().startsWith(one));
  const known = languages.find((one) => one === language);
  const kept = device.read(NAME);
  const chosen = typeof kept === "object" && kept !== null && "language" in kept;
  if (!spoken && !chosen && known) preferences.set({ ...preferences.get(), language: known });
}

export function setPreferences(change: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...change };
  preferences.set(next);
  device.write(NAME, next);
}

/** Another tab of this device changed them. */
export function followOtherTabs(): void {
  addEventListener("storage", (event) => {
    if (event.key === `rollcall.${NAME}`) preferences.set(load());
  });
}

export function usePreferences(): Preferences {
  return useStore(preferences);
}

/** Opened in the game's tablet: large targets, nothing that leads outside. */
export const tablet: boolean =
  typeof location !== "undefined" && (rememberedTablet() || new URLSearchParams(location.search).get("tablet") === "1");

function rememberedTablet(): boolean {
  try {
    // The address loses the parameter on the first move inside the application.
    if (new URLSearchParams(location.search).get("tablet") === "1") sessionStorage.setItem("rollcall.tablet", "1");
    return sessionStorage.getItem("rollcall.tablet") === "1";
  } catch {
    return false;
  }
}
