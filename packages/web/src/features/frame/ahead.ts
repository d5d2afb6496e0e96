import { useEffect } from "react";
import { useRouter } from "@tanstack/react-router";
import { systemClock } from "#core/clock.ts";
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

/** Loads the likely next pages and the palette once the browser has nothing to do; not in the tablet, whose memory is small. */
export function useLoadingAhead(pages: readonly NavigationEntry[]): void {
  const router = useRouter();
  const likely = pages
    .filter(({ group }) => group !== "control")
    .map(({ to }) => to)
    .join(" ");
  useEffect(() => {
    if (tablet || savesData()) return;
    return systemClock.after(PAUSE, () => {
      requestIdleCallback(() => {
        fetchSearch();
        for (const to of likely.split(" ")) router.preloadRoute({ to }).catch(() => undefined);
      });
    });
  }, [router, likely]);
}
