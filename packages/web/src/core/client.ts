import { useEffect } from "react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { clientConfig } from "@rollcall/server/contract/system";
import { transport } from "#core/services.ts";
import { createStore, useStore } from "#core/store.ts";

export type ClientConfig = OutputOf<typeof clientConfig>;

const store = createStore<ClientConfig | null>(null);
let asked = false;

function askOnce(): void {
  if (asked) return;
  asked = true;
  transport.send(clientConfig, {}).then(
    (config) => store.set(config),
    () => {
      asked = false;
    },
  );
}

/** Public settings of this instance; null until they arrive. Asked for once. */
export function useClientConfig(): ClientConfig | null {
  useEffect(askOnce, []);
  return useStore(store);
}

export function isDisabled(config: ClientConfig | null, field: string): boolean {
  return config?.disabledFields.includes(field) ?? false;
}
