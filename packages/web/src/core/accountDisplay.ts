import type { PreferenceOf } from "@rollcall/server/contract/core";
import { displayPreference } from "@rollcall/server/contract/preferences";
import { keyOf, valueOf, type AccountValues } from "#core/accountValues.ts";
import { displayNames, type Preferences } from "#core/preferences.ts";
import { asProblem } from "#core/problem.ts";

type Display = PreferenceOf<typeof displayPreference>;

/** The display preferences of this device. */
export interface DeviceDisplay {
  get(): Preferences;
  /** Whether something was ever chosen here. */
  hasOwn(): boolean;
  apply(change: Partial<Preferences>): void;
  onChosen(follower: (change: Partial<Preferences>) => void): () => void;
}

/** What of a choice belongs to the account. */
function shared(change: Partial<Preferences>, { onlyHere }: Preferences): Display {
  const kept = displayNames.filter((name) => change[name] !== undefined && !onlyHere.includes(name));
  return Object.fromEntries(kept.map((name) => [name, change[name]]));
}

/**
 * Keeps the display preferences of this device and those of the account in step: those of the account win, choices
 * made here go to the account, and an account that has none yet takes over what was chosen on this device.
 */
export function followDisplay(values: AccountValues, device: DeviceDisplay): () => void {
  /** Choices that are not stored yet, because the values were not read or the server could not be reached. */
  let waiting: Display = {};
  let sending = false;

  const send = async () => {
    const choice = waiting;
    if (sending || Object.keys(choice).length === 0 || values.state.get() === null) return;
    waiting = {};
    sending = true;
    try {
      await values.set(displayPreference, null, { ...valueOf(values.state.get(), displayPreference, null), ...choice });
    } catch (error) {
      const { status } = asProblem(error);
      // Sent again when the connection is back, and the values are read again.
      if (status === 0 || status >= 500) waiting = { ...choice, ...waiting };
    }
    sending = false;
  };

  const follow = () => {
    const known = values.state.get();
    if (known === null) {
      waiting = {};
      return;
    }
    const stored = known.get(keyOf(displayPreference.id, null))?.value as Display | undefined;
    const own = device.get();
    if (stored === undefined && device.hasOwn()) waiting = { ...shared(own, own), ...waiting };
    const wanted = { ...shared({ ...stored }, own), ...waiting };
    const differs = displayNames.some((name) => wanted[name] !== undefined && wanted[name] !== own[name]);
    if (differs) device.apply(wanted);
    void send();
  };

  const stopFollowing = values.state.subscribe(follow);
  const stopListening = device.onChosen((change) => {
    const own = device.get();
    // What is no longer kept here alone is again as the account has it.
    if (change.onlyHere !== undefined) {
      follow();
      return;
    }
    waiting = { ...waiting, ...shared(change, own) };
    void send().then(() => void send());
  });
  follow();
  return () => {
    stopFollowing();
    stopListening();
  };
}
