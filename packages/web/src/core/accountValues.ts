import type { OutputOf, Position, PreferenceDefinition, PreferenceOf } from "@rollcall/server/contract/core";
import type { listPreferences, putPreference } from "@rollcall/server/contract/preferences";
import { asProblem } from "#core/problem.ts";
import { createStore, type Store } from "#core/store.ts";

export interface KeptValue {
  readonly value: unknown;
  readonly version: number;
}

/** By name and character. */
export type KeptValuesOfAccount = ReadonlyMap<string, KeptValue>;

interface NewValue {
  readonly characterId?: number;
  readonly value: unknown;
  readonly version?: number;
}

/** Gets the position up to which what was read holds all changes. */
type OnPosition = (position: Position | null) => void;

export interface PreferenceCalls {
  list(onPosition?: OnPosition): Promise<OutputOf<typeof listPreferences>>;
  put(name: string, body: NewValue): Promise<OutputOf<typeof putPreference>>;
}

/** The preferences of the account, as this page knows them. */
export interface AccountValues {
  /** Null until they were read. */
  readonly state: Store<KeptValuesOfAccount | null>;
  /** Reads them again: they may have been changed on another device. */
  read(onPosition?: OnPosition): Promise<void>;
  /** Another account signed in, or none is signed in. */
  forget(): void;
  /**
   * Shown at once, or after the values were read for the first time. The last write wins; one that fails is taken
   * back and rejects.
   */
  set<D extends PreferenceDefinition>(definition: D, characterId: number | null, value: PreferenceOf<D>): Promise<void>;
  /** Changes a part of a value: done again on the new value when another device has changed it meanwhile. */
  change<D extends PreferenceDefinition>(
    definition: D,
    characterId: number | null,
    change: (value: PreferenceOf<D>) => PreferenceOf<D>,
  ): Promise<void>;
}

export function keyOf(name: string, characterId: number | null): string {
  return `${name} ${characterId ?? ""}`;
}

export function valueOf<D extends PreferenceDefinition>(
  values: KeptValuesOfAccount | null,
  definition: D,
  characterId: number | null,
): PreferenceOf<D> {
  return (values?.get(keyOf(definition.id, characterId))?.value ?? definition.default) as PreferenceOf<D>;
}

const MOST_ATTEMPTS = 3;

const bodyOf = (characterId: number | null, value: unknown): NewValue => ({
  value,
  ...(characterId === null ? {} : { characterId }),
});

/** The last write of each value, which the next one waits for. */
type Writes = Map<string, Promise<unknown>>;

function inTurn<T>(writes: Writes, key: string, write: () => Promise<T>): Promise<T> {
  const turn = (writes.get(key) ?? Promise.resolve()).then(write, write);
  writes.set(key, turn);
  // A failure is that of the caller, who gets `turn` itself.
  void turn
    .catch(() => undefined)
    .then(() => {
      if (writes.get(key) === turn) writes.delete(key);
    });
  return turn;
}

export function createAccountValues(calls: PreferenceCalls): AccountValues {
  const state = createStore<KeptValuesOfAccount | null>(null);
  const writes: Writes = new Map();
  let account = 0;

  /** Of values that were not read nothing is kept: one entry alone would say that the account has no others. */
  const keep = (key: string, value: KeptValue | undefined) => {
    const before = state.get();
    if (before === null) return;
    const next = new Map(before);
    if (value) next.set(key, value);
    else next.delete(key);
    state.set(next);
  };

  const read = async (onPosition?: OnPosition) => {
    const of = account;
    const { items } = await calls.list(onPosition);
    if (of !== account) return;
    const before = state.get();
    const next = new Map<string, KeptValue>(
      items.map(({ name, characterId, value, version }) => [keyOf(name, characterId), { value, version }]),
    );
    // A value that is being written here is newer than what was read.
    for (const key of writes.keys()) {
      const own = before?.get(key);
      if (own) next.set(key, own);
    }
    state.set(next);
  };

  /** Rejects when they cannot be read; false when another account signed in meanwhile. */
  const whenKnown = async (): Promise<boolean> => {
    const of = account;
    if (state.get() === null) await read();
    return of === account;
  };

  return {
    state,
    read,
    forget() {
      account += 1;
      writes.clear();
      state.set(null);
    },
    async set(definition, characterId, value) {
      const of = account;
      const key = keyOf(definition.id, characterId);
      // Without a pause where they are known: the value is shown at once.
      if (state.get() === null && !(await whenKnown())) return;
      const before = state.get()?.get(key);
      keep(key, { value, version: before?.version ?? 0 });
      await inTurn(writes, key, async () => {
        try {
          const { version } = await calls.put(definition.id, bodyOf(characterId, value));
          const now = state.get()?.get(key);
          if (of === account && now) keep(key, { ...now, version });
        } catch (error) {
          // A later choice that waits for its turn stays.
          if (of === account && state.get()?.get(key)?.value === value) keep(key, before);
          throw error;
        }
      });
    },
    async change(definition, characterId, change) {
      const of = account;
      const key = keyOf(definition.id, characterId);
      if (!(await whenKnown())) return;
      await inTurn(writes, key, async () => {
        for (let attempt = 1; ; attempt += 1) {
          const version = state.get()?.get(key)?.version ?? 0;
          const value = change(valueOf(state.get(), definition, characterId));
          try {
            const put = await calls.put(definition.id, { ...bodyOf(characterId, value), version });
            if (of === account) keep(key, { value: put.value, version: put.version });
            return;
          } catch (error) {
            if (attempt === MOST_ATTEMPTS || asProblem(error).code !== "preferences.stale") throw error;
            const found = (await calls.list()).items.find((one) => keyOf(one.name, one.characterId) === key);
            if (of === account) keep(key, found && { value: found.value, version: found.version });
          }
        }
      });
    },
  };
}
