import { useEffect } from "react";
import type { PreferenceDefinition, PreferenceOf } from "@rollcall/server/contract/core";
import { listPreferences, preferencesTopic, putPreference } from "@rollcall/server/contract/preferences";
import { followDisplay } from "#core/accountDisplay.ts";
import { createAccountValues, valueOf } from "#core/accountValues.ts";
import { systemClock } from "#core/clock.ts";
import { applyPreferences, hasOwnPreferences, onPreferenceChosen, preferences } from "#core/preferences.ts";
import { createHeld } from "#core/realtime/held.ts";
import { useLive } from "#core/realtime/live.tsx";
import { api, session, useSession } from "#core/services.ts";
import { createStore, useStore } from "#core/store.ts";

const values = createAccountValues({
  list: async (onPosition) => await api.call(listPreferences, {}, onPosition && { onPosition }),
  put: async (name, body) => await api.call(putPreference, { params: { name }, body }),
});

const held = createHeld(values.read);

let account: number | null = null;

function followSession(): void {
  const state = session.state.get();
  const signedIn = "account" in state ? state.account.id : null;
  if (signedIn === account) return;
  account = signedIn;
  values.forget();
  // Without them the page works with what the device has; they are read again when the connection is back.
  if (account !== null) held.readSoon();
}

/** Why a display choice is not stored in the account; null when all are. */
const unsavedDisplay = createStore<"waiting" | "refused" | null>(null);

export function useUnsavedDisplay(): "waiting" | "refused" | null {
  return useStore(unsavedDisplay);
}

let begun = false;

/** Reads the preferences of the account that is signed in. The page is shown meanwhile, with those of the device. */
export function followAccount(): void {
  if (begun) return;
  begun = true;
  followDisplay(
    values,
    {
      get: preferences.get,
      hasOwn: hasOwnPreferences,
      apply: applyPreferences,
      onChosen: onPreferenceChosen,
      onUnsaved: (why) => unsavedDisplay.set(why),
    },
    systemClock,
  );
  session.state.subscribe(followSession);
  followSession();
}

/** Follows changes that other pages and devices of the account make. */
export function useLivePreferences(): void {
  useEffect(followAccount, []);
  const state = useSession();
  useLive(
    "account" in state ? preferencesTopic : null,
    { onEvent: held.readSoon, onSnapshot: held.missed },
    "account" in state ? state.account.id : 0,
  );
}

function characterFor({ per }: PreferenceDefinition): number | null {
  const state = session.state.get();
  return per === "character" && state.phase === "active" ? state.character.id : null;
}

/** The present value, outside of components. */
export function preferenceNow<D extends PreferenceDefinition>(definition: D): PreferenceOf<D> {
  return valueOf(values.state.get(), definition, characterFor(definition));
}

export interface UsedPreference<T> {
  readonly value: T;
  /** False until the values were read; `value` is the default meanwhile. */
  readonly known: boolean;
  /** The last write wins. */
  set(value: T): Promise<void>;
  /** Changes a part of the value, keeping what other devices changed meanwhile. */
  change(change: (value: T) => T): Promise<void>;
}

export function usePreference<D extends PreferenceDefinition>(definition: D): UsedPreference<PreferenceOf<D>> {
  const all = useStore(values.state);
  useSession();
  const characterId = characterFor(definition);
  return {
    value: valueOf(all, definition, characterId),
    known: all !== null,
    set: async (value) => await values.set(definition, characterId, value),
    change: async (change) => await values.change(definition, characterId, change),
  };
}
