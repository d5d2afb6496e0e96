import { createStore, useStore } from "#core/store.ts";

/** The path while no router is loaded: before the sign-in and before a character is chosen. */
const navigations = createStore(0);

if (typeof addEventListener === "function") addEventListener("popstate", () => navigations.set(navigations.get() + 1));

export function usePath(): string {
  useStore(navigations);
  return location.pathname;
}

export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  navigations.set(navigations.get() + 1);
}
