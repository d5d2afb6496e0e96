import { device } from "#core/storage.ts";
import { createStore, useStore } from "#core/store.ts";

export type Scheme = "dark" | "light" | "auto";
export type Density = "compact" | "comfortable";
export type Language = "en" | "de";
export const languages: readonly Language[] = ["en", "de"];

/** Display preferences that the account keeps too. */
export const displayNames = ["scheme", "language", "density", "singleKeys", "navigationCollapsed", "columns"] as const;
export type DisplayName = (typeof displayNames)[number];

/**
 * Display preferences as this device has them: those of the account once somebody signed in (`accountDisplay.ts`),
 * and before that what was chosen here last. `scheme.js` reads the same record before the first paint.
 */
export interface Preferences {
  readonly scheme: Scheme;
  readonly language: Language;
  readonly density: Density;
  /** Single letters as shortcuts; off for speech input and other software that types letters on its own. */
  readonly singleKeys: boolean;
  readonly navigationCollapsed: boolean;
  /** Columns that are hidden, by list. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** What is chosen for this device alone, whatever the account has. */
  readonly onlyHere: readonly DisplayName[];
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
    columns: {},
    onlyHere: [],
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

/** The language of this instance, for browsers without a supported language. Not stored: the operators may change it. */
export function applyDefaultLanguage(language: string): void {
  const asked = typeof navigator === "undefined" ? "" : (navigator.language ?? "");
  const spoken = languages.some((one) => asked.toLowerCase().startsWith(one));
  const known = languages.find((one) => one === language);
  const kept = device.read(NAME);
  const chosen = typeof kept === "object" && kept !== null && "language" in kept;
  if (!spoken && !chosen && known) preferences.set({ ...preferences.get(), language: known });
}

/** Whether something was ever chosen on this device. */
export function hasOwnPreferences(): boolean {
  return device.read(NAME) !== undefined;
}

/** Takes over what was chosen elsewhere. */
export function applyPreferences(change: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...change };
  preferences.set(next);
  device.write(NAME, next);
}

type OnChosen = (change: Partial<Preferences>) => void;
const followers = new Set<OnChosen>();

/** What the person at this device chooses. */
export function setPreferences(change: Partial<Preferences>): void {
  applyPreferences(change);
  for (const follower of followers) follower(change);
}

/** Calls `follower` with each choice that is made on this page. */
export function onPreferenceChosen(follower: OnChosen): () => void {
  followers.add(follower);
  return () => void followers.delete(follower);
}

/** Follows changes made in another tab of this device. */
export function followOtherTabs(): void {
  addEventListener("storage", (event) => {
    if (event.key === `rollcall.${NAME}`) preferences.set(load());
  });
}

export function usePreferences(): Preferences {
  return useStore(preferences);
}

/** Opened in the game's tablet: large targets, no external links. */
export const tablet: boolean =
  typeof location !== "undefined" && (rememberedTablet() || new URLSearchParams(location.search).get("tablet") === "1");

function rememberedTablet(): boolean {
  try {
    // The first navigation inside the application drops the parameter from the address.
    if (new URLSearchParams(location.search).get("tablet") === "1") sessionStorage.setItem("rollcall.tablet", "1");
    return sessionStorage.getItem("rollcall.tablet") === "1";
  } catch {
    return false;
  }
}
