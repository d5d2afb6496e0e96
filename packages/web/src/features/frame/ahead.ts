import { useEffect } from "react";
import { useRouter } from "@tanstack/react-router";
import { systemClock } from "#core/clock.ts";
import { loadErrorTexts } from "#core/i18n.ts";
import type { NavigationEntry } from "#core/pages.ts";
import { tablet } from "#core/preferences.ts";
import { fetchSearch } from "./dialogs.ts";

/** The first page and what it shows come first. Milliseconds. */
const PAUSE = 3_000;

/** Whether the browser asks for few bytes; only Chromium knows. */
function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { readonly saveData?: boolean } };
  return connection?.saveData === true;
}

/** Each when the one before it is done and the browser has nothing to do: all at once would hold up what somebody does meanwhile. */
async function oneByOne(steps: readonly (() => unknown)[], signal: AbortSignal): Promise<void> {
  for (const step of steps) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the purpose
    await new Promise((resolve) => requestIdleCallback(resolve));
    if (signal.aborted) return;
    try {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await step();
    } catch {
      // It is loaded again when it is shown.
    }
  }
}

/** Loads the likely next pages and the palette once the browser has nothing to do; not in the tablet, whose memory is small. */
export function useLoadingAhead(pages: readonly NavigationEntry[]): void {
  const router = useRouter();
  const likely = pages
    .filter(({ group }) => group !== "control")
    .map(({ to }) => to)
    .join(" ");
  useEffect(() => {
    if (tablet || savesData()) return;
    const steps: (() => unknown)[] = [
      fetchSearch,
      loadErrorTexts,
      ...likely.split(" ").map((to) => async () => await router.preloadRoute({ to })),
    ];
    const leaving = new AbortController();
    const stop = systemClock.after(PAUSE, () => void oneByOne(steps, leaving.signal));
    return () => {
      stop();
      leaving.abort();
    };
  }, [router, likely]);
}
