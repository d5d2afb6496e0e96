import { useMemo, type ReactNode } from "react";
import { MantineProvider, type MantineColorSchemeManager } from "@mantine/core";
import { styleNonce } from "#core/nonce.ts";
import { preferences, setPreferences, tablet } from "#core/preferences.ts";
import { themeOf, variables } from "./theme.ts";

function schemeManager(): MantineColorSchemeManager {
  let stop: () => void = () => {};
  return {
    get: () => preferences.get().scheme,
    set: (scheme) => {
      // The library writes back every scheme that it is given: without this check the two would call each other forever.
      if (scheme !== preferences.get().scheme) setPreferences({ scheme });
    },
    subscribe(onUpdate) {
      let seen = preferences.get().scheme;
      stop = preferences.subscribe(() => {
        const { scheme } = preferences.get();
        if (scheme === seen) return;
        seen = scheme;
        onUpdate(scheme);
      });
    },
    unsubscribe: () => stop(),
    clear: () => setPreferences({ scheme: "dark" }),
  };
}

const manager = schemeManager();

export function ThemeProvider({ job, children }: { job: string; children: ReactNode }) {
  const theme = useMemo(() => themeOf({ job, large: tablet }), [job]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      colorSchemeManager={manager}
      defaultColorScheme="dark"
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  );
}
