import { systemClock } from "#core/clock.ts";

/** A page that fails again this soon after a reload has another problem. Milliseconds. */
const ONCE_PER = 60_000;
const LONGEST_WAIT_MS = 5_000;

/** The script that this page was built with, as its markup names it. */
const ownScript = () => document.querySelector("script[type=module][src]")?.getAttribute("src") ?? null;

/** Whether the server answers with a page of this build or of another one; null while it does not answer. */
async function servedBuild(): Promise<"own" | "other" | null> {
  const own = ownScript();
  const headers = { accept: "text/html" };
  const wait = new AbortController();
  systemClock.after(LONGEST_WAIT_MS, () => wait.abort());
  const answer = await fetch("/", { cache: "no-store", headers, signal: wait.signal });
  if (!answer.ok || own === null) return null;
  return (await answer.text()).includes(`"${own}"`) ? "own" : "other";
}

/**
 * A page that was open while the server was upgraded requests chunks that no longer exist: it is reloaded. Typed input
 * is in the drafts. Without an answer it stays, because a reload would lead to the browser's own error page. The game's
 * browser remembers that a chunk could not be loaded, so that the second attempt reloads as well.
 */
export function reloadAfterUpgrade(): void {
  const started = systemClock.now();
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  let failures = 0;
  addEventListener("vite:preloadError", () => {
    failures += 1;
    if (entry?.type === "reload" && systemClock.now() - started < ONCE_PER) return;
    servedBuild()
      .then((build) => {
        if (build === "other" || (build === "own" && failures > 1)) location.reload();
      })
      .catch(() => undefined);
  });
}
