import { useEffect } from "react";
import type { OutputOf, Position } from "@rollcall/server/contract/core";
import { clientConfig } from "@rollcall/server/contract/system";
import { applyDefaultLanguage } from "#core/preferences.ts";
import { createHeld } from "#core/realtime/held.ts";
import { session, transport } from "#core/services.ts";
import { createStore, useStore } from "#core/store.ts";
import { setCommunityZone, setInstanceLocale } from "#core/time.ts";
import { beginTracing } from "#core/tracing.ts";

export type ClientConfig = OutputOf<typeof clientConfig>;

const store = createStore<ClientConfig | null>(null);
let asked = false;

function isSignedIn(): boolean {
  const { phase } = session.state.get();
  return phase === "choosing" || phase === "active";
}

const held = createHeld(async (onPosition) => {
  const config = await transport.send(clientConfig, {}, { onPosition });
  setInstanceLocale(config.locale);
  setCommunityZone(config.zone);
  applyDefaultLanguage(config.defaultLanguage);
  if (config.tracing) beginTracing(config.tracing, config.version, isSignedIn);
  store.set(config);
});

function askOnce(): void {
  if (asked) return;
  asked = true;
  held.read().catch(() => {
    asked = false;
  });
}

/** The settings changed: reads them again, and keeps the old ones when that fails. */
export const reloadClientConfig = (): void => held.readSoon();

/** Changes of the settings before this position were missed. */
export const missedClientConfig = (position: Position | null): void => held.missed(position);

/** Public settings of this instance; null until they arrive. Requested once. */
export function useClientConfig(): ClientConfig | null {
  useEffect(askOnce, []);
  return useStore(store);
}

export function isDisabled(config: ClientConfig | null, field: string): boolean {
  return config?.disabledFields.includes(field) ?? false;
}
