import { useSyncExternalStore } from "react";
import { session } from "#core/services.ts";
import { device, type KeptValues } from "#core/storage.ts";
import { createStore } from "#core/store.ts";

const changes = createStore(0);
const changed = () => changes.set(changes.get() + 1);

/** The drafts of this device. */
export const keptDrafts: KeptValues = {
  read: (name) => device.read(name),
  write(name, value) {
    device.write(name, value);
    changed();
  },
  remove(name) {
    device.remove(name);
    changed();
  },
};

/** Whose drafts these are, as the first part of their names; null while nobody is signed in. */
export function draftOwner(): string | null {
  const state = session.state.get();
  if (!("account" in state)) return null;
  return `${state.account.username}.${state.phase === "active" ? state.character.id : 0}`;
}

/** Whether one of these kept values is a draft of this person, of a form whose name begins so. */
export function hasDraft(names: readonly string[], owner: string | null, form: string): boolean {
  return owner !== null && names.some((name) => name.startsWith(`draft.${owner}.${form}`));
}

/** Whether this device keeps a draft of the form, or of one of those whose names begin so. */
export function useHasDraft(form: string): boolean {
  return useSyncExternalStore(changes.subscribe, () => hasDraft(device.names(), draftOwner(), form));
}
