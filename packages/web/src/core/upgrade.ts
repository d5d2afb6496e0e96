import { systemClock } from "#core/clock.ts";

/** A page that fails again this soon after a reload has another problem. Milliseconds. */
const ONCE_PER = 60_000;

/**
 * A page that was open while the server was upgraded requests chunks that no longer exist: it is
 * reloaded. Typed input is in the drafts.
 */
export function reloadAfterUpgrade(): void {
  const started = systemClock.now();
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  addEventListener("vite:preloadError", () => {
    const again = entry?.type === "reload" && systemClock.now() - started < ONCE_PER;
    if (!again) location.reload();
  });
}
