import { useEffect } from "react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { listProviders } from "@rollcall/server/contract/oauth";
import { transport } from "#core/services.ts";
import { createStore, useStore } from "#core/store.ts";

export type Provider = OutputOf<typeof listProviders>["providers"][number];

const store = createStore<readonly Provider[] | null>(null);
const unavailable = createStore(false);
let asked = false;

function askOnce(): void {
  if (asked) return;
  asked = true;
  transport.send(listProviders, {}).then(
    ({ providers }) => store.set(providers),
    () => {
      asked = false;
      unavailable.set(true);
    },
  );
}

/** Providers of external sign-in; null until they arrive. Requested once. */
export function useProviders(): readonly Provider[] | null {
  useEffect(askOnce, []);
  return useStore(store);
}

/** The label of a provider, or its name if it has none or the list cannot be loaded; null until that is known. */
export function useProviderLabel(name: string): string | null {
  const providers = useProviders();
  const withoutList = useStore(unavailable);
  if (providers === null) return withoutList ? name : null;
  return providers.find((provider) => provider.name === name)?.label ?? name;
}

/** The address that starts a sign-in with a provider, which returns to `path`. */
export function beginHref(name: string, path: string): string {
  return `/api/oauth2/login/${name}?${new URLSearchParams({ return: path }).toString()}`;
}
