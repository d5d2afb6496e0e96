import { createStore, useStore } from "#core/store.ts";

/** The address while no application is loaded: before a sign-in and before a character is chosen. */
const place = createStore(0);

if (typeof addEventListener === "function") addEventListener("popstate", () => place.set(place.get() + 1));

export function usePath(): string {
  useStore(place);
  return location.pathname;
}

export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  place.set(place.get() + 1);
}
