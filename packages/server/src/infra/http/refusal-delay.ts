import type { Clock } from "#core/ports/clock.ts";

/** Refusals per second that are answered at once, so that occasional ones are not delayed. */
const atOnce = 20;
/** Delay of the others, which slows down clients that repeat calls on one connection. */
const delayMs = 250;
/** Most answers delayed at the same time; more are answered at once rather than kept in memory. */
const maxDelayed = 2000;

/** Delays refusals during floods. */
export function createRefusalDelay(clock: Clock): () => Promise<void> {
  let second = 0;
  let refused = 0;
  let delayed = 0;
  return async function delay() {
    const now = Math.floor(clock.monotonic() / 1000);
    if (now !== second) [second, refused] = [now, 0];
    refused += 1;
    if (refused <= atOnce || delayed >= maxDelayed) return;
    delayed += 1;
    await clock.sleep(delayMs);
    delayed -= 1;
  };
}
