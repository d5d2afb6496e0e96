import type { PreferenceOf } from "@rollcall/server/contract/core";
import { displayPreference } from "@rollcall/server/contract/preferences";
import { keyOf, valueOf, type AccountValues } from "#core/accountValues.ts";
import type { Clock } from "#core/clock.ts";
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
  /** A choice could not be stored. It is tried again, or was refused and taken back; null: all are stored. */
  onUnsaved(why: "waiting" | "refused" | null): void;
}

/** How soon a choice is sent again, in milliseconds: the first time, and at most. */
const RETRY = { first: 5_000, most: 120_000 } as const;

/** Hidden columns are an object, which is another one each time it is read. */
const isSame = (one: unknown, other: unknown) => one === other || JSON.stringify(one) === JSON.stringify(other);

/** What of a choice belongs to the account. */
function shared(change: Partial<Preferences>, { onlyHere }: Preferences): Display {
  const kept = displayNames.filter((name) => change[name] !== undefined && !onlyHere.includes(name));
  return Object.fromEntries(kept.map((name) => [name, change[name]]));
}

/**
 * Keeps the display preferences of this device and those of the account in step: those of the account win, choices
 * made here go to the account, and an account that has none yet takes over what was chosen on this device.
 */
export function followDisplay(values: AccountValues, device: DeviceDisplay, clock: Pick<Clock, "after">): () => void {
  /** Choices that are not stored yet, because the values were not read or the server could not be reached. */
  let waiting: Display = {};
  /** The choice that is being stored. */
  let underway: Display | null = null;
  let delay: number = RETRY.first;
  /** Null while no further attempt is due. */
  let cancelRetry: (() => void) | null = null;

  const stopRetry = () => {
    cancelRetry?.();
    cancelRetry = null;
  };

  const retryLater = () => {
    stopRetry();
    cancelRetry = clock.after(delay, () => void send());
    delay = Math.min(delay * 2, RETRY.most);
  };

  const send = async () => {
    const choice = waiting;
    if (underway !== null || Object.keys(choice).length === 0 || values.state.get() === null) return;
    stopRetry();
    waiting = {};
    underway = choice;
    try {
      await values.set(displayPreference, null, { ...valueOf(values.state.get(), displayPreference, null), ...choice });
      delay = RETRY.first;
      underway = null;
      device.onUnsaved(null);
    } catch (error) {
      const { status } = asProblem(error);
      const passes = status === 0 || status === 429 || status >= 500;
      underway = null;
      // Another account may have signed in meanwhile.
      if (values.state.get() === null) return;
      if (passes) waiting = { ...choice, ...waiting };
      device.onUnsaved(passes ? "waiting" : "refused");
      if (passes) retryLater();
      else follow();
    }
  };

  const follow = () => {
    const known = values.state.get();
    if (known === null) {
      waiting = {};
      stopRetry();
      device.onUnsaved(null);
      return;
    }
    const stored = known.get(keyOf(displayPreference.id, null))?.value as Display | undefined;
    const own = device.get();
    if (stored === undefined && device.hasOwn()) waiting = { ...shared(own, own), ...waiting };
    const wanted = { ...shared({ ...stored }, own), ...underway, ...waiting };
    const differs = displayNames.some((name) => wanted[name] !== undefined && !isSame(wanted[name], own[name]));
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
    void send().then(() => {
      // What was chosen meanwhile.
      if (cancelRetry === null) void send();
    });
  });
  follow();
  return () => {
    stopRetry();
    stopFollowing();
    stopListening();
  };
}
