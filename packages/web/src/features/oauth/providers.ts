import { useEffect } from "react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { listProviders } from "@rollcall/server/contract/oauth";
import { transport } from "#core/services.ts";
import { createStore, useStore } from "#core/store.ts";

export type Provider = OutputOf<typeof listProviders>["providers"][number];

const store = createStore<readonly Provider[] | null>(null);
let asked = false;

function askOnce(): void {
  if (asked) return;
  asked = true;
  transport.send(listProviders, {}).then(
    ({ providers }) => store.set(providers),
    () => {
      asked = false;
    },
  );
}

/** Providers of external sign-in; null until they arrive. Requested once. */
export function useProviders(): readonly Provider[] | null {
  useEffect(askOnce, []);
  return useStore(store);
}

/** The address that starts a sign-in with a provider, which returns to `path`. */
export function beginHref(name: string, path: string): string {
  return `/api/oauth2/login/${name}?${new URLSearchParams({ return: path }).toString()}`;
}
